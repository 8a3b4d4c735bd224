import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSecretFile, isSecretPath } from "../../src/reading/secretFiles.ts";
import { testFolder } from "../support/testFolder.ts";

describe("a file that keeps secrets", () => {
  const folder = testFolder();
  const secret =
    ".env .env.local .env.production a/.ENV prod.env .envrc server.pem a/b.key x.p12 x.pfx x.jks release.keystore id_rsa id_rsa.bak id_ed25519 .npmrc .netrc .pypirc .git-credentials .pgpass credentials credentials.json google_credentials.json secrets.yaml secrets.json secrets service-account.json terraform.tfvars terraform.tfstate .ssh/config .aws/config C:\\Users\\me\\.ssh\\known .env~ .env.bak .env.local.old .env.swp .env.1 #.env# .#.env key.pem~ key.pem.orig key.pem.2024 terraform.tfstate.backup secret.yaml app-secret.yml secrets/prod.yaml secret/db deploy/secrets/eu/prod.json .secrets/x.txt secrets.prod.json.gpg secrets.enc.yaml credential.json credentials-prod.json aws.credentials.bak passwords.txt .yarnrc .yarnrc.yml kubeconfig kubeconfig.yaml prod.kubeconfig kubeconfig-prod .htpasswd.bak auth.json local.settings.json token.json .bash_history arduino_secrets.h secrets.py .dev.vars .dev.vars.staging .envs/.production/.postgres env.production env.local env-staging env.production.local .config/gh/hosts.yml .config/glab-cli/config.yml .config/rclone/rclone.conf .m2/settings.xml .m2/settings-security.xml deploy_rsa github_ed25519 ssh_host_ed25519_key ssh_host_rsa_key id_ed25519_sk deploy_key private_key privkey private-key.txt gradle.properties .gradle/gradle.properties android/key.properties keystore.properties local.properties rclone.conf .rclone.conf wg0.conf wpa_supplicant.conf .databrickscfg .ngrok2/ngrok.yml .terraform.d/credentials.tfrc.json wallet.dat .oci/config deploy_rsa.bak htpasswd vault_pass.txt vault-password-file .smbcredentials .authinfo .msmtprc kaggle.json .irb_history .rediscli_history fish_history .sentryclirc mnemonic.txt wallet-seed-phrase.txt rootkey.csv bob_accessKeys.csv cookies.txt github-recovery-codes.txt .vscode/sftp.json 账号密码.txt";
  for (const path of secret.split(" ")) {
    it(`is ${path}`, () => {
      assert.equal(isSecretFile(path), true);
    });
  }
  const open =
    "src/secrets.ts docs/secrets.md infra/secrets.tf .env.example .env.sample environment.ts env.ts .environment key.ts monkey id_rsa.pub keyboard.json credentials.ts src/credentials/index.ts secretary.md pem.md dotenv.js .npmignore package.json .env.example~ tokens.json tokenizer.json token.ts src/secrets/index.ts secrets-manager.ts secretFiles.test.ts src/secret/mod.rs password.ts passwordReset.json api-key.md data.bak key.ts~ notes.txt.orig config.json config/prod.yaml yarn.lock kube.ts .dev.vars.example app/envs/main.tf env.d.ts env.js env.go env.mjs env.example env/index.ts deploy_rsa.pub ssh_host_ed25519_key.pub rsa rsa.js crypto_rsa.go node_modules/ed25519/index.js ed25519.c gradle-wrapper.properties messages.properties application.properties settings.xml hosts.yml .config/nvim/init.lua .config/app.json nginx.conf rclone.go private_key.ts host-key.md .m2/repository/a.xml .m2/wrapper.xml app.conf order_history.ts chat_history.json seed.sql seeds/phrase.json public/locales/en/auth.json config/locales/passwords.yml i18n/secrets.json";
  it("is none that only looks like one", () => {
    for (const path of open.split(" ")) assert.equal(isSecretFile(path), false, path);
  });

  it("is none because of a folder above the project", () => {
    assert.equal(isSecretFile("/projects/secrets/app/config.json", "/projects/secrets/app"), false);
    assert.equal(isSecretFile("/projects/secrets/app/config.json"), true);
    assert.equal(isSecretFile("/projects/secrets/prod.yaml", "/projects/secrets"), true);
    assert.equal(isSecretFile("/home/me/.aws/config", "/home/me/.aws"), true);
  });

  it("is one by the name that its links lead to", async () => {
    const at = (name: string): string => join(folder(), name);
    for (const name of [".env", "plain.txt"]) await writeFile(at(name), "");
    await symlink(".env", at("notes.txt"));
    await symlink("notes.txt", at("readme.md"));
    await symlink("plain.txt", at("other.txt"));
    const names = ["notes.txt", "readme.md", "other.txt", "gone.txt"];
    const verdicts = await Promise.all(names.map((name) => isSecretPath(at(name))));
    assert.deepEqual(verdicts, [true, true, false, false]);
  });
});
