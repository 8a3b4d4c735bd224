import { isSecret, measures } from "./secretForms.ts";
import type { TextSpan } from "./secretValues.ts";

/**
 * Parts of commands: programs that take a password in a short option, `-u user:password`, such options, and the ends of
 * commands. What follows `-p` and a space in a command of MySQL is a database.
 */
const parts =
  /(?<![\w.]|.-)(?:(curl|wget|https?|xh|svn|smbclient)|((?:sshpass|mysql\w{0,10}|maria\w{0,10}|mongo\w{0,10}|redis-cli|ldap\w{1,10}|htpasswd|sqlcmd|7za?|zip|unzip|twine|mosquitto_\w{3}|ssh-keygen|login|psexec|plink|pscp|lftp|ipmitool|xfreerdp|rdesktop|signtool|nuget)))(?=["']?[\s,])|(?<=[\s"'])(?:-\w{0,6}[uUa]|--(?:proxy-)?(?:user|auth|creds))["']?[\s=,-]{0,20}["']?[^\s:%,"']{1,80}[:%,]([^\s"']+)|(?<=[\s"'])(?:-[pPwaNk](?:["'],?)?(?:(?<!\bm(?:aria|ysql)[^|;]{0,200})\s)?|\/p[:\s])["']?([^\s"'|;-][^\s"'|;]+)|[|;]|&&/g;
const anyProgram =
  /curl|wget|http|xh|svn|smbclient|sshpass|mysql|maria|mongo|redis-cli|ldap|htpasswd|sqlcmd|7z|zip|twine|mosquitto|ssh-keygen|login|psexec|plink|pscp|lftp|ipmitool|freerdp|rdesktop|signtool|nuget/;

/** Finds passwords in commands, which may continue in the next lines. */
export class CommandReader {
  #kind: "http" | "login" | undefined;
  #isContinued = false;

  read(line: string): readonly TextSpan[] {
    if (!this.#isContinued) this.#kind = undefined;
    if (this.#kind === undefined && !anyProgram.test(line)) return [];
    const spans: TextSpan[] = [];
    for (const { 0: all, 1: client, 2: program, 3: login, 4: password, index } of line.matchAll(parts)) {
      const value = login ?? password;
      if (value === undefined) this.#kind = client ? "http" : program ? "login" : undefined;
      else if (this.#kind !== undefined && (login !== undefined || this.#kind === "login")) {
        const start = index + all.lastIndexOf(value);
        if (isSecret(value, measures.password)) spans.push({ start, end: start + value.length });
      }
    }
    this.#isContinued = /[\\`^]\s*$/.test(line.slice(-20));
    return spans;
  }
}
