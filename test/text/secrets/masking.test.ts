import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { findSecrets } from "../../../src/text/secrets/findSecrets.ts";
import { hasMask } from "../../../src/text/secrets/placeholders.ts";
import { maskLines, maskText } from "../../support/maskText.ts";
import { randomTexts } from "../../support/randomTexts.ts";
import { secretForms } from "../../support/secretForms.ts";

/** Public code of the development dependencies: sources, declarations, documentation and settings, but no samples of secrets. */
const packages =
  "eslint @eslint @typescript-eslint @types/node playwright-core prettier mocha undici undici-types @azure fast-check openai zod";
const code = /(?<!\.min|\.test)\.(?:[cm]?js|ts|json|md|ya?ml)$/;

function publicFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && code.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

describe("masking secrets", () => {
  it("masks at least 98 % of secrets in all kinds of files", () => {
    const random = randomTexts(1);
    const missed: string[] = [];
    assert.ok(secretForms.length >= 500);
    for (const form of secretForms) {
      const samples = Array.from({ length: 10 }, () => form(random));
      const own = samples.filter(({ text, secrets }) => secrets.some((secret) => maskText(text).includes(secret)));
      // Chance makes a few secrets look like words, but no form is left out.
      assert.ok(own.length <= 6, own[0]?.text);
      missed.push(...own.map(({ text }) => text));
    }
    assert.ok(missed.length <= 0.02 * 10 * secretForms.length, `${missed.length} missed:\n${missed.join("\n")}`);
  });

  const marks = ["+", "-", "# ", "// ", "; ", "-- ", " * ", "> ", "12: ", "    12\t", "12 | ", "src/a.yml:12:"];
  for (const prefix of marks) {
    it(`masks at least 97 % where each line begins with ${JSON.stringify(prefix)}`, () => {
      const random = randomTexts(4);
      const missed = secretForms.flatMap((form) => {
        const { text, secrets } = form(random);
        const masked = maskText(text.replace(/^/gm, prefix));
        return secrets.some((secret) => masked.includes(secret)) ? [text] : [];
      });
      assert.ok(missed.length <= 0.03 * secretForms.length, missed.join("\n"));
    });
  }

  it("masks at most one of 20,000 lines of public code", () => {
    const masked: string[] = [];
    let count = 0;
    for (const name of packages.split(" ")) {
      for (const file of publicFiles(path.join("node_modules", name))) {
        if (count > 400_000) break;
        const lines = readFileSync(file, "utf8").split("\n");
        // What is minified is read by nobody.
        if (lines.length > 10_000 || lines.some((line) => line.length > 1_000)) continue;
        count += lines.length;
        for (const [index, line] of maskLines(lines).entries()) {
          if (line !== lines[index]) masked.push(`${file}:${index + 1}: ${line}`);
        }
      }
    }
    assert.ok(count >= 300_000, String(count));
    assert.ok(masked.length <= count / 20_000, `${masked.length} of ${count}:\n${masked.join("\n")}`);
  });

  it("finds exactly the secret in nearly all kinds of files, so that it is found again elsewhere", () => {
    const random = randomTexts(3);
    const longer = secretForms.flatMap((form) => {
      const { text, secrets } = form(random);
      const lines = text.split("\n");
      const found = findSecrets(lines).flatMap((spans, at) =>
        spans.map(({ start, end }) => lines[at]?.slice(start, end) ?? ""),
      );
      return secrets.some((secret) => !found.includes(secret) && found.join("\n").includes(secret)) ? [text] : [];
    });
    assert.ok(longer.length <= secretForms.length / 50, longer.join("\n"));
  });

  it("masks long random values that have the word of a placeholder by chance", () => {
    const { base64 } = randomTexts(4);
    for (const word of ["your", "xxxx", "dummy", "sample"]) {
      const value = base64(60) + word + base64(60);
      assert.ok(!maskText(`signing_key = ${value}`).includes(value), word);
    }
  });

  it("masks values that contain words of names, or are compared", () => {
    for (const value of ["MyPass123!", "SuperSecret2024!", "R00tPwd!", "KeyMaster-99", "Tr0ub4dor&3x"]) {
      const lines = ["DB_PASSWORD={0}", "password: {0}", "run --password={0}", "密码：{0}", 'if password == "{0}":'];
      for (const line of [...lines, 'passwords = {"bob": "{0}"}'])
        assert.ok(!maskText(line.replace("{0}", value)).includes(value), line.replace("{0}", value));
    }
  });

  it("masks passphrases with hyphens", () => {
    for (const value of ["never-to-be-sent", "correct-horse-battery"])
      assert.ok(hasMask(maskText(`password = "${value}"`)), value);
  });

  it("does not mask placeholders", () => {
    const text = 'const password = "[secret 123456 removed]"; // [secret removed]';
    assert.equal(maskText(text), text);
    assert.ok(hasMask(text) && hasMask("[secret removed]") && hasMask("[SECRET 123456 REMOVED]"));
    assert.ok(!hasMask("secrets[removed]"));
  });

  it("does not mask code about secrets", () => {
    for (const line of [
      "+  password: string;",
      "+  apiKey: process.env.API_KEY,",
      "  password: Joi.string().pattern(new RegExp('^[a-zA-Z0-9]{3,30}$')),",
      "+  password: ${{ secrets.DEPLOY }}",
      "+docker run -u 1000:1000 image",
      "https://user:password@example.com",
      "API_KEY=changeme",
      "TOKEN=${TOKEN}",
      'password: "your-password-here",',
      'apiKey: "xxxxxxxxxxxxxxxxxxxx",',
      "password_hash = hashlib.sha256(password1.encode())",
      "token := parser.next1()",
      'secretName: "db-credentials-1"',
      'tokenUrl: "https://login.example.com/oauth2/v2.0/token"',
      "password VARCHAR(255) NOT NULL,",
      "    valueFrom: { secretKeyRef: { name: db-secret-1, key: password } }",
      '"integrity": "sha512-{0}",'.replace("{0}", randomTexts(7).base64(86)),
      'const publicKey = "{0}";'.replace("{0}", randomTexts(8).base64(60)),
      "PASSWORD_FILE=/run/secrets/db_password1",
      '"generate-password": "^1.7.1",',
      "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
      'url = f"postgres://{user}:{password1}@{host}"',
      "secret: crypto.randomBytes(32).toString('hex')",
      '"password": "密码必须包含大写字母A-Z、小写字母a-z和数字0-9，长度8-20位"',
      'const begin = "-----BEGIN PRIVATE KEY-----";\nstart(begin);\nstop',
      "'password' => $request->password,",
      "$password = $this->request->getPost('password');",
      "my $password = $self->{password};",
      "'password' => 'required|string|min:8|confirmed',",
      '<label for="password" style="color:#1e293b;font-size:14px">Password</label>',
      `<x-input-label for="password" :value="__('Password')" />`,
      '<JetConfirmsPassword @confirmed="enableTwoFactorAuthentication">',
      '@WithMockUser(password = "password", roles = "fake-super-role")',
      'connect(password="", database="shop2")',
      'docker run -v "$(pwd):/var/www/html" app',
      'toast.success("Password changed!");',
      "password: E2E_PASSWORD,",
      'mysql -u root -p"$MYSQL_ROOT_PASSWORD" app',
      "mysqladmin ping -u root -p$$MYSQL_ROOT_PASSWORD",
      "existingSecret: my-release-postgresql",
      'password: "{{ .Values.db.password | b64enc }}"',
      "vault kv get -field=password secret/data/prod/db1",
      'average=$(bc <<<"scale=0; $sum / $count")',
      'get "/login/forgot_password" => "login#forgot_password"',
      "mutation Login($email: String!, $password: String!) {",
      "privatePassword: {{ .Values.snmpNotifier.snmpPrivatePassword | b64enc }}",
      "- **Ensure new/changed tests pass locally** before",
      "secret: jwks.expressJwtSecret({",
      "mysql -u root -p my_bank < schema.sql",
      "secret: '%env(APP_SECRET)%'",
      "return <<<'MARKDOWN'",
      'name={showPassword ? "eye-off-outline" : "eye-outline"}',
      'const STORAGE_KEY = "pbLastActiveCollection";',
      '$("#x").bind("click", "handler1")',
      'let password = rpassword::prompt_password("Password: ").unwrap();',
      '"Password": json!({',
      "access_claims: auth::LoginJwtClaims,",
      "APP_SECRET: replace-me-with-a-random-string",
      'Password string `protobuf:"bytes,2,opt,name=password,proto3" json:"password"`',
      "change_password=Zmień hasło",
      "kubectl get secret app-signing-cert -o yaml",
      "// 2 GiB: pass force_zip64 to use the ZIP64 format",
      `"publicKeyPem": "-----BEGIN PUBLIC KEY-----\\n${randomTexts(9).base64(64)}"`,
    ]) {
      assert.equal(maskText(line), line);
    }
  });
});
