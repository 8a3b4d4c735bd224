import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runsCode } from "../../src/text/runsCode.ts";

describe("a changed file", () => {
  for (const path of [
    ".vscode/tasks.json app/.VSCode/settings.json all/work.code-workspace .devcontainer/devcontainer.json",
    ".devcontainer.json .husky/pre-commit .githooks/pre-push crates/a/build.rs .cargo/config.toml",
    ".gitattributes App/App.csproj Directory.Build.props eslint.config.mjs web/.prettierrc.cjs",
    ".prettierrc.json .eslintrc.yml packages/a/package.json package-lock.json yarn.lock .envrc",
    "tests/conftest.py vitest.config.ts web/next.config.mjs .github/workflows/ci.yml .mcp.json",
    ".claude/settings.json app/build.gradle build.gradle.kts CMakeLists.txt Makefile Dockerfile tsconfig.json",
    "pyproject.toml setup.py requirements-dev.txt web.config conf/server.xml scripts/hooks/pre-commit",
    "Package.swift gulpfile.js jest.setup.ts AGENTS.md AGENTS.override.md docs/CLAUDE.local.md",
    "node_modules/eslint/lib/api.js venv/lib/python3.13/site-packages/pytest/main.py",
    ".github/copilot-instructions.md prompts/review.prompt.md tool.unknown",
  ].flatMap((line) => line.split(" "))) {
    it(`can run code without being started: ${path}`, () => {
      assert.ok(runsCode(path));
    });
  }

  // From the defaults of `chat.tools.edits.autoApprove`, VS Code 1.139.
  for (const glob of [
    "**/.vscode/*.json",
    "**/.git/**",
    ...["package.json", "server.xml", "build.rs", "web.config", ".gitattributes", ".env"].map((name) => `**/${name}`),
    ...["code-workspace", "csproj", "fsproj", "vbproj", "vcxproj", "proj", "targets", "props"].map(
      (end) => `**/*.${end}`,
    ),
    "**/*.lock",
    "**/*-lock.yaml",
    "**/*-lock.json",
  ]) {
    it(`is asked about where VS Code asks: ${glob}`, () => {
      assert.ok(runsCode(glob.replace("**/", "a/b/").replaceAll("*", "c")));
      assert.ok(runsCode(glob.replace("**/", "").replaceAll("*", "c")));
    });
  }

  for (const path of [
    "src/vscode/tasks.ts src/config.ts src/buildPrompt.ts src/profile.js src/packages.py docs/guide.md",
    "docs/agents/overview.md husky/index.ts src/build.rs.md src/eslint.tsx web/style.module.css notes.txt",
    "data/table.csv scripts/release.sh",
  ].flatMap((line) => line.split(" "))) {
    it(`is like any other: ${path}`, () => {
      assert.ok(!runsCode(path));
    });
  }
});
