/** The letters that often follow each letter, a to z: 98 % of the pairs in the documentation of a few hundred packages. */
const followers: readonly string[] = [
  "bcdefgiklmnprstuvwxyz abceijlmoprstuy acehikloqrstuy abcdegilorsuy abcdefghijlmnopqrstuvwxy",
  "aefilortuy aeghilmnorsu aeiortuy abcdefgklmnoprstvxz aeosu aeilosuy abdefiklmopstuvy abeilmopsu",
  "acdefgiklmnopstuvy abcdfgiklmnoprstuvwx adehilmoprstu u abcdefgiklmnoprstuvwy",
  "acdefhiklmnopqstuwy acefhiloprstuwxy abcdefgilmnprst aeio aehinors aceimpt aeimnopst aeo",
].flatMap((line) => line.split(" "));

/** Pairs that are not surprising: two digits, two symbols, equal characters, or a separator of words. */
const plainPair = /^(?:\d\d|[!#$%&*+=?@^|~]{2}|(.)\1)$|[^\w!#$%&*=?@^|~]|_/s;

/** Twice the surprise of each pair of ASCII characters; 255 if not computed yet. */
const knownPairs = new Uint8Array(128 * 128).fill(255);

/**
 * The number of neighboring characters that are rarely side by side in words and numbers, such as a letter and a digit, or
 * `qx`: about half of the pairs in a random text, and hardly any in a name or a sentence.
 */
function surpriseOf(text: string): number {
  let [sum, before] = [0, 128];
  for (let at = 0; at < text.length; at += 1) {
    const after = text.charCodeAt(at);
    if (before < 128 && after < 128) {
      const pair = before * 128 + after;
      if (knownPairs[pair] === 255) knownPairs[pair] = 2 * surpriseOfPair(String.fromCharCode(before, after));
      sum += knownPairs[pair] ?? 0;
    }
    before = after;
  }
  return sum / 2;
}

function surpriseOfPair(pair: string): number {
  if (plainPair.test(pair)) return 0;
  if (pair.charCodeAt(1) - pair.charCodeAt(0) === 1) return 0;
  // Many names have uppercase letters in the middle.
  if (/^[a-z][A-Z]$/.test(pair)) return 0.5;
  const [before = "", after = ""] = pair.toLowerCase();
  return /^[a-z]{2}$/i.test(pair) && followers[before.charCodeAt(0) - 97]?.includes(after) === true ? 0 : 1;
}

/** How random a value has to be to count as a secret. */
export interface Measure {
  /** Minimum surprise, and minimum length in characters. */
  readonly surprise: number;
  readonly length: number;
  /** Minimum surprise per character. */
  readonly density: number;
}

/** The measures, by the evidence that a value is a secret. */
export const measures = {
  /** A name such as `password`, whose values people choose. */
  password: { surprise: 1, length: 5, density: 0 },
  /** A name such as `token`, or a form that only secrets have. Programs generate these. */
  secret: { surprise: 2.5, length: 8, density: 0.1 },
  /** Only the value, and perhaps a name such as `key`. */
  random: { surprise: 5, length: 16, density: 0.2 },
  /** A syntax that only passwords have, as in `https://user:password@host`. */
  login: { surprise: 0, length: 4, density: 0 },
} satisfies Readonly<Record<string, Measure>>;

/** Prefixes that issuers give to keys and tokens to make them recognizable. */
const issued = [
  "sk-|sk_(?:live|org|prod|test)_|rk_(?:live|test)_|gsk_|xai-|pplx-|nvapi-|hf_|r8_|GOCSPX-|ya29\\.|1//0|AQ\\.Ab|sk_dev_(?=[\\w-]{40})|tgp_v1_|pcsk_|pa-(?=[\\w-]{43})|wandb_v1_|KGAT_",
  "gh[pousr]_|github_pat_|gl(?:pat|rt|dt|cbt|ptt|ft|wt|imt|agent|soat|oas|ffct)-|npm_|pypi-|rubygems_|dckr_[op]at_|cio|ATATT3|ATCTT3|ATBB",
  "xox[abcdeoprs]-|xoxe\\.|xapp-|SG\\.|key-|AIza|EAA|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|dapi|do[opr]_v1_|tskey-|lin_(?:api|oauth)_|ntn_|secret_",
  "hv[sbr]\\.|AGE-SECRET-KEY-1|sntryu_|gl(?:sa|c)_|NRAK-|ph[cx]_|PMAK-|figd_|sbp_|sb_secret_|CFPAT-|pscale_[a-z]{2,6}_|dp\\.[a-z]{2,5}\\.|pul-|HRKU-|ops_|EZ[AT]K|duffel_|shippo_[a-z]{4}_|SK(?=[0-9a-f]{32})|nsec1|AQVN|LTAI|AKID|oy2|sha256~|CLOJARS_|jfrog_|AKCp|tfp_|\\w{14}\\.atlasv1\\.|lsv2_[a-z]{2}_|bkua_|sqp_|sqa_|rpa_|fo1_|rdme_|sgp_|API-(?=[A-Z0-9]{20})|pnu_|eyJhIjoi|tvly-|re_(?=[A-Za-z\\d]{8}_[A-Za-z\\d]{24})|xkeysib-|xsmtpsib-|vercel_blob_rw_|hcaik_|pat(?=[A-Za-z\\d]{14}\\.[\\da-f]{64})|sl\\.(?=[\\w.-]{99})|dt0[a-z]\\d\\d\\.|sdk-(?=[\\da-f]{8}-)|CCIPAT_|bkct_|polar_[a-z]{2,3}_(?=[\\w-]{30})|pdl_(?:live|sdbx)_|APP_USR-|FLWSECK|AKLT|ALTAK-\\w+/|SEC(?=[\\da-f]{64})|GR1348941|y0_(?=[\\w-]{50})|t1\\.9eu|st\\.(?=[\\da-f]{8}-)|tk-us-",
].join("|");

/** Secrets that are recognized by their form: the first group of a pattern, or the whole match. Linear time. */
export const secretForms: readonly (readonly [pattern: RegExp, measure: Measure])[] = [
  [new RegExp(`(?<!\\w)(?:${issued})[\\w.-]{14,}(?:=[\\dA-F]{8}|={0,2})`, "g"), measures.secret],
  // Tokens and keys with a short prefix, which names have, too.
  [
    /(?<!\w)(?:csk-|fc-|signkey-\w{1,8}-|(?:api_org|cf(?:at|k|ut)|crsr|e2b|fw|jina|key|napi|nf[bcopu]|rnd|sk|squ|tr_(?:dev|prod)|unkey|vc[aikpr])_)[A-Za-z\d]{20,}[\w-]*/g,
    measures.random,
  ],
  // Tokens of Fly, Sentry, Grafana, and Bedrock, and logins of Docker, in Base64; keys of Zhipu, Mailchimp, and Azure.
  [/(?<!\w)(?:fm[12]_|sntrys_|glc_eyJ|whsec_|xoxd-|ABSK|eyJhdXRocyI6)[\w%+/=.-]{20,}/g, measures.secret],
  [/(?<!\w)[\da-f]{32}(?:\.[A-Za-z\d]{16}|-us\d{1,2}|(?:-[\da-f]{8}){2})(?!\w)/g, measures.random],
  [
    /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])|(?<!\w)[A-Za-z\d]{52}(?:JQQJ99\w{26}|\w{24}AZDO\w{4})(?!\w)/g,
    measures.random,
  ],
  // A private key (PKCS #8, RSA) without its marks.
  [/(?<![\w+/])MII[A-Za-z0-9+/]{3}IBADANBgkqhkiG9w0BAQEFAAS[\w+/]{40,}={0,2}/g, measures.secret],
  [/(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g, measures.secret],
  // A JSON Web Token, tokens of Telegram and Discord, keys of wallets, and a hashed password.
  [/(?<![\w+/,-])eyJ[\w-]{10,}\.[\w-]{8,}(?:\.[\w-]*)*/g, measures.secret],
  [/(?:\bbot|(?<!\w))(\d{8,10}:AA[\w-]{32,34})(?!\w)/g, measures.random],
  [/(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g, measures.random],
  [/(?<!\w)(?:[xyzt]prv\w{100,}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?!\w)/g, measures.random],
  [
    /(?:\$(?:2[abxy]|5|6|y|7|apr1|pbkdf2\S{0,10}|scrypt|argon2[id]{1,2})\${1,2}|\{S?(?:SHA|MD5|CRYPT)\d{0,3}\}|\bpbkdf2_sha\d{1,3}\$\d{4,8}\$)[./\w$=,+-]{20,}/g,
    measures.random,
  ],
  [
    /https:\/\/(?:hooks\.slack\.com\/(?:services|triggers|workflows)|discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com\/webhookb2|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook)\/([^\s"'`<>)]+)/g,
    measures.secret,
  ],
  // A private key whose whole file is in Base64, where "PRIVATE" has three forms.
  [/LS0tLS1CRUdJTi[\w+/]{0,24}(?:UFJJVkFUR|QUklWQVRF|BSSVZBVEUg)[\w+/=]+/g, measures.secret],
  // Headers, signed URLs, and the private numbers of a key.
  [
    /\bauthorization\\*["'`]?\]?\s{0,8}(?:[:=,]|\s)\s{0,8}\\*["'`]?(?:[A-Za-z]{3,12}\s{1,3})?([\w.~+/=:-]{8,})/gi,
    { ...measures.random, length: 12, surprise: 4 },
  ],
  [/\b(?:bearer|basic|bot)\s{1,5}([\w.~+/=-]{12,})/gi, measures.secret],
  [
    /[?&;](?:sig|\w{0,10}-?signature|x-amz-\w{1,10}-token|code|(?:api|access)?[_-]?key)=([\w%.~+/=-]{16,})/gi,
    measures.random,
  ],
  [/(?:"(?:d|p|q|dp|dq|qi|k)":\s{0,4}"|<(?:D|P|Q|DP|DQ|InverseQ)>)([\w+/=-]{40,})/g, measures.random],
  // Arguments of calls that log in, input that is piped to commands, and password files.
  [
    /(?:log_?in|logon|basic_?auth|credentials?|connect(?:ion)?|(?:client\.|ldap_|simple_)bind(?:_s)?|create_?(?:super)?user|\bftp|dialer|sequelize|authentication|wifi\.begin|sta\.config|mysqli\w{0,20}|\bpdo|\bauth["']?\s?(?:=>|[=:]))\s?[([](?:[^()"'`]{0,100}["'`][^"'`]{0,100}["'`],){1,3}(?:\s?\w{1,20}\()?\s?["'`]([^"'`]{5,100})["'`]/gi,
    measures.password,
  ],
  [
    /\b(?:echo|printf|yes)\s{1,4}(?:-\w\s|["']%s(?:\\n)?["']\s){0,2}["']?(?:\w{1,40}:)?([^\s"'|;&$()<>]{4,200})(?:\\n)?["']?\s{0,4}\|(?=[^|;]{0,80}(?:login|passw|sudo\s[^|;]{0,20}-S|token|secret|crypt|kinit))/g,
    measures.password,
  ],
  [/\bjwt\w{0,10}\.\w{4,10}\([^()"'`]{1,60},\s{0,4}["'`]([\w.~+/=-]{16,200})["'`]/gi, measures.random],
  [/\bAC[\da-f]{32}["'`],\s{0,4}["'`]([\da-f]{32})/g, measures.random],
  [
    /(?:hmac\w{0,6}(?:\.new)?|fernet|\bcrypt|bcrypt\.\w{1,20}|\baes\.\w{1,10}|keyspec|signwith|cipheriv|openssl_\w{1,10})\s?\((?:["'`]?[^()"'`,]{0,40}["'`]?,\s?){0,2}(?:[\w.]{1,20}\()?b?["'`](?!sha|md5|aes|des)([^"'`]{5,200})["'`]/gi,
    measures.password,
  ],
  [/(?<=\bsecret\s[^|;]{0,300})--from-literal[= ]["']?[\w.-]{1,60}=["']?([^\s"']{5,200})/g, measures.password],
  // A user and a password in one word, or in the options that most programs have for them.
  [
    /(?:\b(?:login|userpwd|basic_?auth|auth_?pair|credentials?)|账[号户]|密码)["']?\s?[:=,：]\s?["']?[\w.@-]{1,40}(?::|\s\/\s)([^\s"':/]{5,100})/gi,
    measures.password,
  ],
  [
    /(?<=\s)(?<!\b(?:mysql|maria)[^|;]{0,200})(?:-u|-U|--user(?:name)?)[ =]?[^\s-]\S{0,60}\s(?:[^|;]{0,100}\s)?-[pP] ?["']?([^\s"'|;-][^\s"'|;]{3,100})/g,
    measures.password,
  ],
  [/(?:A[KS]IA|LTAI|AKID)\w{12,40}\W{1,6}(?:\w{0,30}\W{1,6})?([\w+/]{30,40})(?![\w+/])/g, measures.random],
  [/<<<\s?(?!["']?[A-Z_]+\b)(?:["'](?=[^\s"']{4,200}["'])|(?!["']))([^\s"'<>$]{4,200})/g, measures.password],
  [
    /(?:^AUTH|\bbasicauth\s\S{1,60}|\blogin\s{1,8}\S{1,100}\s{1,8}password|(?:password|secret)\s\d|key\s\d|enable\ssecret(?:\s\d)?|snmp-server\scommunity|wpa_passphrase\s\S{1,60}|net\suser\s\S{1,60}|rabbitmqctl\s\w{1,20}\s\S{1,60}|htpasswd\s-\w*b\w*\s\S{1,200}\s\S{1,60})\s{1,8}(\S+)/g,
    measures.password,
  ],
  [/^[+\- ]?[\w.*-]{1,200}:(?:\d{4,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:(\S+)$/g, measures.password],
  // A password in a URL, which may have a slash. A port with a path is not a password.
  [/:\/\/[^\s/"'`<>@:]{0,100}:(?!\d{1,5}[/@])((?:[^\s"'`<>:]|:(?!\/\/)){4,2000})@/g, measures.login],
  [/:\/\/([\w.~%-]{16,300})@/g, measures.random],
  [/\b[\w.-]{1,40}:([^\s"'`:/]{4,100})@(?:(?:tcp|unix|udp)?\(|\/[\w-]{1,60}["'?])/g, measures.login],
  [/(?:jdbc:oracle:\w{1,10}:|sqlplus\s(?:-\w\s){0,3})["']?\w{1,40}\/([^\s"'@]{4,100})@/g, measures.login],
];

/** Words in the names of secrets. The other words of a name decide. */
export const secretNoun =
  /pass|pwd|psk|preshared|secret|token|credential|creds|key|auth|salt|cookie|sess|\bsid\b|signature|bearer|pw\b|[._-]pat\b|mnemonic|(?:seed|recovery|backup)[\s_-]?phrase|identified\s+by|securestring|(?<![a-z])[as]k\b|密[码碼]|口令|[密秘私]钥|令牌|凭[证据]|助记词|授权码|パスワード|비밀번호|пароль|contraseña|\bsenha\b|kennwort|mot\s+de\s+passe/gi;

/** The last words, joined by spaces, of names of passwords, of other secrets, and of possible secrets. */
export const nameClasses: readonly { readonly pattern: RegExp; readonly measure: Measure }[] = [
  {
    pattern:
      /(?:^|\s)(?:\w{0,20}(?:password|passwd|passwort|passphrase|passcode)s?|\w{0,10}(?:pwd|psk)|(?:\w{1,10})?pw|(?!(?:com|by|sur|tres|over|under|multi|mini|en)pass)\w{0,10}pass|mnemonic|(?:seed|recovery|backup) ?phrase|identified by|authtok|(?:\w{1,20} )?secret|secret key|convert to secure|masterauth|kennwort|senha|mot de passe)$|(?:密[码碼]|口令|助记词|授权码|パスワード|비밀번호|пароль|contraseña)$/,
    measure: measures.password,
  },
  {
    pattern:
      /(?:^|\s)(?:\w{0,20}(?:secrets?|tokens?|credentials?|bearer|preshared|psk)|basic authorization|creds|(?:github|gitlab|gh|gl|azure|ado|devops) pat|(?:\w{0,20} )?(?:pre ?shared|api|app|application|access|private|secret|auth|client|sign|signing|encrypt|encryption|decryption|shared|master|account|consumer|deploy|service|server|admin|license|subscription|jwt|hmac|aes|session|cookie|webhook|wallet|ssh|tls|ssl|rsa|root|security) ?(?:access ?)?keys?)$|(?:[密秘私]钥|令牌|凭[证据])$/,
    measure: measures.secret,
  },
  {
    pattern: /(?:^|\s)(?:keys?|auth|salt|cookies?|\w{0,10}sess(?:ion)?(?: ?id)?|sid|[as]k|signature)$/,
    measure: measures.random,
  },
];

/** Words at the end of a name that do not change what it names. */
export const namePart =
  /^(?:\d+|[a-z]|prod|production|dev|development|staging|stage|test|testing|ci|live|local|default|old|new|next|current|previous|prev|main|primary|secondary|backup|base|value|val|string|str|text|plain|literal|raw|base|hex|data|env|in|out)$/;

/** Names of things other than secrets. */
export const otherName =
  /\b(?:public|publishable|pub|existing|(?:pull|tls) secret|primary key|foreign|no pass|cache|i 18 n|key code)\b/;

/** Placeholders for a password in a URL. */
const loginWord = /^\[?(?:x+|\*+|p(?:ass)?(?:wo?r?d)?|pw|user(?:name)?|secret|token|key)\]?$/i;

/** Placeholders, references to other values, types, and patterns. */
const placeholder =
  /^(?:u?int|float)\d\w*$|^\[?(?:string|int|float|boolean|id)!?\]?!$|^(?:\.[a-z]\w*)+$|^[ }]{0,3}\)[.;,]|^[\w.+-]+@[\w.-]+\.(?:com|org|net|io|dev|cn)$|^\^.*\$$|^[~^<>=v ]{0,4}\d+(?:\.[\dx*]+){1,3}(?:[-+][\w.-]{1,20})?$|^npm:|^(?:<[^<>]*>|\{[A-Za-z_][^{}]*\}$|%[\w.():-]+%|@\w+@|\$(?:[({]|\$?[A-Za-z_]\w*(?:-?$|[{[/]))|#\{|\{\{|env[:(.]|file:|vault:|op:\/\/|arn:|ref\+|secretref|[a-z][a-z+.-]{1,20}:\/\/)|^[\w@.-]*\/[\w./-]*\.\w{1,5}$|^[a-z_/]+#(?:[a-z]+_[a-z_]+|new|edit|create|update|show|index|destroy)$|^[a-z_]+(?::[\w,.]+)?(?:\|[a-z_]+(?::[\w,.]+|\[\d+\])?)+$|\$\{|\{\{|<[\w -]+>|\.\.\.|…|\*{3}|•|process\.env|os\.environ|import\.meta|secrets\.|\[secret\b/i;

/** Words of placeholders, which random values have by chance if they are long. */
const placeholderWord =
  /x{4}|_{4}|change-?_?me|your[-_. ]?|example|placeholder|replace|redacted|dummy|\bremoved\b|sample|getenv|insert[-_ ]/i;

/** The name of a constant, and a prefix of secrets. */
const constant = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^[a-z]{1,8}_$/;

/** Placeholders in a form that only secrets have. */
const plainPlaceholder =
  /x{4}|example|([A-Za-z])\1{7}|your[-_. ]?|\.\.\.|…|\*{3}|^\$?\$[a-z_]\w*$|\$\{|\{\{|<|\[secret\b/i;

/** Words that are ignored in values. */
const plainWords =
  /(?:pg)?pass(?:wor[dt]|wd|phrase)?|postgres|secret|token|api|key|user|admin|default|test|auth|bearer|basic|senha|palavra-passe|oauth2?|sha-?\d+|utf-?\d+|latin-?1|md5|base64|b64enc|proto3|aes-\d+-[a-z]+|argon2(?:id)?|v\d+|[eh]s(?:256|384|512)/gi;

/** Longest value that is a placeholder because of a word in it, in characters. */
const maxPlaceholderLength = 100;

/** Number of characters of a value that are checked. */
const maxValueLength = 1_000;

/** What is between words: spaces, and the characters and punctuation of scripts without spaces: Chinese, Japanese, Korean. */
const between = /[\s\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+/;

/** Whether a value is a secret, or consists of words of which one is. */
export function isSecret(text: string, measure: Measure): boolean {
  const value = text.slice(0, maxValueLength).trim();
  if (value.length < measure.length) return false;
  if (isPlaceholder(value) || constant.test(value)) return false;
  if (measure === measures.password && (isPhrase(value) || isChosen(value))) return true;
  if (surpriseOf(value) < Math.min(measure.surprise, 2.5)) return false;
  if (value.search(between) >= 0)
    return value.split(between).some((piece) => /\d/.test(piece) && isSecret(piece, measures.secret));
  return isRandom(value.replace(plainWords, " "), measure);
}

/**
 * Whether a value looks like a password that a person chose: with at least three of lowercase letters, uppercase letters,
 * digits, and symbols.
 */
function isChosen(value: string): boolean {
  if (value.search(between) >= 0 || !/\d/.test(value)) return false;
  const own = value.replace(plainWords, " ");
  return [/[a-z]/, /[A-Z]/, /\d/, /[!-/:-@[-`{-~]/].filter((kind) => kind.test(own)).length >= 3;
}

/** Whether a value is a passphrase: three words with hyphens, four if some are short, 12 to 24 words of a wallet, or groups of four letters. */
export function isPhrase(value: string): boolean {
  if (/^[a-z]+(?:(?:-[a-z]{3,}){2,}|(?:-[a-z]+){3,})$/i.test(value)) return value.search(plainWords) < 0;
  return /^(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}$|^(?:[a-z]{4} ){3}[a-z]{4}$/.test(value);
}

/** Whether a text in a form that only secrets have is a secret, and not a placeholder. */
export function isForm(text: string, measure: Measure): boolean {
  const value = text.slice(0, maxValueLength);
  if (measure === measures.login) return !isPlaceholder(value) && !loginWord.test(value);
  if (value.length < measure.length) return false;
  if (value.length <= maxPlaceholderLength && plainPlaceholder.test(value)) return false;
  if (measure === measures.password && (isPhrase(value) || isChosen(value))) return true;
  return isRandom(value, measure) || /[A-Za-z].*(?:\d.*){4}/.test(value);
}

function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || (value.length <= maxPlaceholderLength && placeholderWord.test(value));
}

function isRandom(value: string, measure: Measure): boolean {
  const surprise = surpriseOf(value);
  return surprise >= measure.surprise && surprise / value.length >= measure.density;
}
