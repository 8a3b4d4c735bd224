import assert from "node:assert/strict";
import { isSecretFile } from "../../src/text/secretFiles.ts";

describe("a file that keeps secrets", () => {
  const secret =
    ".env .env.local .env.production a/.ENV prod.env .envrc server.pem a/b.key x.p12 x.pfx x.jks release.keystore id_rsa id_rsa.bak id_ed25519 .npmrc .netrc .pypirc .git-credentials .pgpass credentials credentials.json google_credentials.json secrets.yaml secrets.json secrets service-account.json terraform.tfvars terraform.tfstate .ssh/config .aws/config C:\\Users\\me\\.ssh\\known";
  for (const path of secret.split(" ")) {
    it(`is ${path}`, () => {
      assert.equal(isSecretFile(path), true);
    });
  }
  const open =
    ".env.example .env.sample environment.ts env.ts .environment key.ts monkey id_rsa.pub keyboard.json credentials.ts src/credentials/index.ts secretary.md pem.md dotenv.js .npmignore package.json";
  for (const path of open.split(" ")) {
    it(`is not ${path}`, () => {
      assert.equal(isSecretFile(path), false);
    });
  }
});
