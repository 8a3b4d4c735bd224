import assert from "node:assert/strict";
import { mentionsFile, isToolFile } from "../../src/files/toolFiles.ts";

describe("a changed file", () => {
  const pathsIn = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));

  it("can run code without being started", () => {
    const paths = pathsIn(
      "app/.VSCode/settings.json .devcontainer.json .husky/pre-commit crates/a/build.rs web/.prettierrc.cjs",
      "eslint.config.mjs tests/conftest.py build.gradle.kts CMakeLists.txt Makefile conf/server.xml",
      "packages/a/package.json yarn.lock App/App.csproj Directory.Build.props web.config all/work.code-workspace",
      "setup.py requirements-dev.txt scripts/hooks/pre-commit noxfile.py gruntfile.js mix.exs extconf.rb",
      "Package.swift gulpfile.js jest.setup.ts AGENTS.md AGENTS.override.md docs/CLAUDE.local.md",
      "node_modules/eslint/lib/api.js venv/lib/python3.13/site-packages/pytest/main.py",
      "docs/conf.py config/config.exs apps/a/config/runtime.exs webpack.config.babel.js gulpfile.babel.js AGENT.md",
      "buildSrc/src/main/kotlin/Conventions.kt .github/copilot-instructions.md prompts/review.prompt.md tool.unknown",
    );
    for (const path of paths) assert.ok(isToolFile(path), path);
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
