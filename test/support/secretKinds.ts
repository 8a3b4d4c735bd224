import type { RandomTexts } from "./randomTexts.ts";

/** A text of a file, and the secrets in it. */
interface Sample {
  readonly text: string;
  readonly secrets: readonly string[];
}

type Form = (random: RandomTexts) => Sample;

/** A text with the secret that `make` returns, in place of `@`. */
function form(template: string, make: (random: RandomTexts) => string): Form {
  return (random) => {
    const secret = make(random);
    return { text: template.replaceAll("@@", () => secret), secrets: secret.split("\n") };
  };
}

/** Texts with secrets of one kind. */
function forms(make: (random: RandomTexts) => string, ...templates: readonly string[]): readonly Form[] {
  return templates.map((template) => form(template, make));
}

const password = (random: RandomTexts): string => random.password();
const long = (random: RandomTexts): string => random.base62(40);
const short = (random: RandomTexts): string => random.base62(20);
const hex = (random: RandomTexts): string => random.hex(32);
const base64 = (random: RandomTexts): string => `${random.base64(43)}=`;
const login = (random: RandomTexts): string => Buffer.from(`admin:${random.password()}`).toString("base64");
const uuid = ({ hex: digits }: RandomTexts): string =>
  [digits(8), digits(4), digits(4), digits(4), digits(12)].join("-");
const token = ({ base62 }: RandomTexts): string =>
  [{ alg: "HS256" }, { sub: base62(9) }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".") + `.${base62(43)}`;
const body = ({ base64: characters }: RandomTexts): string =>
  [...Array.from({ length: 4 }, () => characters(64)), characters(30)].join("\n");
const prefixed =
  (prefix: string, length: number) =>
  (random: RandomTexts): string =>
    prefix + random.base62(length);

/** Where secrets stand, by the kind of file. No secret stands here. */
export const secretKinds: Readonly<Record<string, readonly Form[]>> = {
  dotenv: [
    ...forms(password, "DB_PASSWORD=@@", "PGPASS=@@\nPGHOST=db", "SSHPASS=@@", "REDIS_URL=redis://:@@@cache:6379/0"),
    form("SESSION_SECRET='@@' # rotate", hex),
    form("export AWS_SECRET_ACCESS_KEY=@@", (random) => random.base64(40)),
    form("STRIPE_KEY=@@", prefixed("sk_live_", 24)),
    form("SECRET_KEY_BASE=@@", (random) => random.hex(128)),
  ],
  yaml: [
    ...forms(password, "  password: @@", "env:\n  - name: DB_PASS\n    value: @@"),
    form("env:\n  - name: API_TOKEN\n    value: '@@'\n  - name: X", short),
    form("kind: Secret\ndata:\n  token: @@", base64),
    form("client_secret: @@", uuid),
    form("app:\n  jwtSecret: >-\n    @@", long),
    form(
      "slack:\n  url: https://hooks.slack.com/services/@@",
      (random) => `T${random.hex(8)}/B${random.hex(8)}/${random.base62(24)}`,
    ),
    form("key: |\n  -----BEGIN RSA PRIVATE KEY-----\n@@\n  -----END RSA PRIVATE KEY-----", body),
  ],
  json: [
    ...forms(short, '  "apiKey": "@@",', '  "name": "SERVICE_TOKEN",\n  "value": "@@"'),
    ...forms(password, '{"password":"@@"}', '{ "name": "DB_PASSWORD", "value": "@@" }'),
    form('  "ConnectionString": "Server=db;Database=x;User Id=sa;Password=@@;"', password),
    form('{"auths":{"registry.io":{"auth":"@@"}}}', login),
    ...forms(long, '  "body": "{\\"token\\":\\"@@\\"}"', '  "headers": { "Authorization": "Token @@" }'),
    form('  "private_key": "-----BEGIN PRIVATE KEY-----\\n@@\\n-----END PRIVATE KEY-----\\n",', (random) =>
      random.base64(64),
    ),
    form('  "AzureWebJobsStorage": "AccountName=x;AccountKey=@@=;EndpointSuffix=net"', (random) => random.base64(86)),
  ],
  typescript: [
    ...forms(password, 'const password = "@@";', "const url = `postgres://admin:@@@db.internal:5432/app`;"),
    form('const apiKey: string = "@@";', hex),
    form('const key = process.env.API_KEY ?? "@@";', short),
    ...forms(long, 'client.setToken("@@");', 'headers.set("Authorization", "Bearer @@");'),
    form('const clientSecret =\n  "@@";', long),
    form('if (token === "@@") return;', token),
    form('new OpenAI({ apiKey: "@@" })', prefixed("sk-proj-", 48)),
  ],
  python: [
    ...forms(password, 'db = connect(host="x", password="@@")', 'password = r"""@@"""'),
    form('token = os.environ.get("TOKEN", "@@")', short),
    form('requests.get(url, auth=("admin", "x"), headers={"X-Api-Key": "@@"})', hex),
    form('passwords = ["", "@@"]', long),
    form("SECRET_KEY = '@@'", (random) => random.of("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50)),
    form('GITHUB = "@@"', prefixed("ghp_", 36)),
  ],
  java: [
    ...forms(password, 'private static final String PASSWORD = "@@";', 'dataSource.setPassword("@@");'),
    form('props.put("mail.smtp.password", "@@");', password),
    form('@Value("${api.token:@@}")', long),
    form('.header("Authorization", "Basic @@")', login),
  ],
  properties: [
    ...forms(password, "spring.datasource.password=@@", "spring.datasource.password = @@", "keystore.passphrase: @@"),
    form("jwt.secret=@@", base64),
    form("aws.accessKeyId=@@", ({ of }) => `AKIA${of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`),
  ],
  toml: [
    ...forms(password, 'password = "@@"', 'dsn = "mysql://root:@@@tcp(db)/app"'),
    form("secret_key = '''@@'''", base64),
    form('[registry]\ntoken = "@@"', prefixed("cio", 32)),
    form('api_token = "@@" # prod', prefixed("glpat-", 20)),
  ],
  ini: [
    ...forms(password, "machine a.com login b password @@", "[client]\nuser = root\npassword = '@@'", "requirepass @@"),
    form("_auth=@@", login),
    form("aws_secret_access_key = @@", (random) => random.base64(40)),
    form("//registry.npmjs.org/:_authToken=@@", prefixed("npm_", 36)),
  ],
  shell: [
    ...forms(password, "mysql -u root --password=@@ app", "curl -u admin:@@ https://example.org"),
    ...forms(password, "PGPASSWORD=@@ psql -h db", "sshpass -p @@ ssh host", "git clone https://user:@@@git.io/a.git"),
    form("docker login -u me -p @@ registry.io", password),
    ...forms(short, "tool login --token @@ --quiet", "curl 'https://api.io/v1?access_token=@@&page=2'"),
    ...forms(long, 'curl -H "Authorization: Bearer @@" https://api.io', 'TOKEN="${TOKEN:-@@}"'),
    form("glab auth login --token @@", prefixed("glrt-", 20)),
    form("xapp=@@", ({ base62 }) => `xapp-1-A${base62(10)}-${base62(12)}-${base62(40)}`),
  ],
  docker: [
    form("ENV API_TOKEN @@", short),
    form("ENV A=1 \\\n    SECRET_KEY=@@ \\\n    B=2", hex),
    form("RUN echo '//npm.io/:_authToken=@@' > .npmrc", uuid),
    form("ARG NPM_TOKEN=@@", prefixed("npm_", 36)),
  ],
  xml: [
    ...forms(password, "<password>@@</password>", '<property name="connection.password">@@</property>'),
    form('<property name="javax.password" value="@@"/>', password),
    form('<add connectionString="Data Source=x;User ID=u;Password=@@" />', password),
    form('<add key="ApiKey" value="@@" />', short),
    form("<key>api_token</key>\n<string>@@</string>", long),
    form('<string name="google_api_key">@@</string>', ({ base62 }) => `AIza${base62(35)}`),
  ],
  go: [
    ...forms(password, 'password := "@@"', "\tPassword: `@@`,"),
    form('os.Setenv("API_SECRET", "@@")', short),
    form('var secret string = "@@"', hex),
    form('req.Header.Set("X-Auth-Token", "@@")', uuid),
  ],
  terraform: [
    ...forms(password, '  password = "@@"', 'variable "db_password" {\n  type    = string\n  default = "@@"\n}'),
    form('  secret_string = "@@"', long),
    form('  name  = "API_KEY"\n  value = "@@"', short),
  ],
  php: [
    ...forms(password, "define('DB_PASSWORD', '@@');", "$config['db']['password'] = '@@';", "'password' => '@@',"),
    form("$apiKey='@@';", hex),
    form("define( 'AUTH_KEY', '@@' );", (random) =>
      random.of("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 64),
    ),
  ],
  sql: [form("CREATE USER app IDENTIFIED BY '@@';", password), form("ALTER ROLE app WITH PASSWORD '@@';", password)],
  notes: [
    form("密码：@@", password),
    form("@@ is our token", token),
    form("The bot: @@", ({ base62 }) => `${Math.floor(1e9 * 0.7)}:AA${base62(33)}`),
    form("root:@@:19000:0:99999:7:::", ({ base62 }) => `$6$${base62(16)}$${base62(86)}`),
    form("@@".repeat(1), ({ base62 }) => `xoxb-${"1".repeat(3)}${base62(9)}-${base62(24)}`),
  ],
};
