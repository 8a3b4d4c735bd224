import assert from "node:assert/strict";
import { mentionsFile, isToolFile } from "../../src/files/toolFiles.ts";

describe("a changed file", () => {
  const pathsIn = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));

  it("can run code without being started", () => {
    const paths = pathsIn(
      ".vscode/tasks.json app/.VSCode/settings.json all/work.code-workspace .devcontainer/devcontainer.json",
      ".devcontainer.json .husky/pre-commit .githooks/pre-push crates/a/build.rs .cargo/config.toml",
      ".gitattributes App/App.csproj Directory.Build.props eslint.config.mjs web/.prettierrc.cjs",
      ".prettierrc.json .eslintrc.yml packages/a/package.json package-lock.json yarn.lock .envrc",
      "tests/conftest.py vitest.config.ts web/next.config.mjs .github/workflows/ci.yml .mcp.json",
      ".claude/settings.json app/build.gradle build.gradle.kts CMakeLists.txt Makefile Dockerfile tsconfig.json",
      "pyproject.toml setup.py requirements-dev.txt web.config conf/server.xml scripts/hooks/pre-commit",
      "Package.swift gulpfile.js jest.setup.ts AGENTS.md AGENTS.override.md docs/CLAUDE.local.md",
      "node_modules/eslint/lib/api.js venv/lib/python3.13/site-packages/pytest/main.py",
      "docs/conf.py config/config.exs apps/a/config/runtime.exs webpack.config.babel.js gulpfile.babel.js AGENT.md",
      "buildSrc/src/main/kotlin/Conventions.kt .github/copilot-instructions.md prompts/review.prompt.md tool.unknown",
    );
    for (const path of paths) assert.ok(isToolFile(path), path);
  });

  it("is asked about where VS Code asks", () => {
    // From the defaults of `chat.tools.edits.autoApprove`, VS Code 1.139.
    const names = "package.json server.xml build.rs web.config .gitattributes .env *.lock *-lock.yaml *-lock.json";
    const ends = "code-workspace csproj fsproj vbproj vcxproj proj targets props";
    const files = [".vscode/*.json", ".git/*", ...names.split(" "), ...ends.split(" ").map((end) => `*.${end}`)];
    for (const file of files.map((glob) => glob.replace("*", "c"))) {
      assert.ok(isToolFile(file), file);
      assert.ok(isToolFile(`a/b/${file}`), file);
    }
  });

  it("is mentioned in a configuration file, relative to it, with or without extension", () => {
    const named = (text: string, ...paths: readonly string[]): void => {
      for (const path of paths) assert.ok(mentionsFile(text, path), path);
    };
    named('import rule from "./tools/rules/no-foo.js"', "tools/rules/no-foo.js", "tools/rules/no-foo.ts");
    named('{ "plugins": ["./prettier-plugin.mjs", "./tools/sort"] }', "prettier-plugin.mjs", "tools/sort/index.js");
    named('{ "lint": "node lint.mjs && tsx ./check" }', "lint.mjs", "check.ts");
    named('load-plugins = ["tools.checker"]', "tools/checker.py");
    named("setupFiles: ['<rootDir>\\\\test\\\\env.js']".replaceAll("\\\\", "\\"), "test/env.js");
    const text =
      '{ "main": "src/index.js", "types": "check", "files": ["**/fixture.ts", "docs/guide.md"], "x": "my-lint.mjs" }';
    for (const path of ["src/main.js", "check.ts", "lint.mjs", "docs/guide.md", "a/fixture.ts", "src/index2.js"])
      assert.ok(!mentionsFile(text, path), path);
  });

  it("is like any other", () => {
    const paths = pathsIn(
      "src/vscode/tasks.ts src/config.ts src/buildPrompt.ts src/profile.js src/packages.py docs/guide.md",
      "docs/agents/overview.md husky/index.ts src/build.rs.md src/eslint.tsx web/style.module.css notes.txt",
      "data/table.csv scripts/release.sh test/user_test.exs lib/config/reader.ex",
    );
    assert.deepEqual(paths.filter(isToolFile), []);
  });
});
