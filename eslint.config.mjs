import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/**
 * Imports go one way: extension.ts -> features.ts -> commands -> chat | completions | inline | images | git | setup | status -> hunks -> apply -> failures ->
 * problems -> reading -> ui | settings -> edits -> prompts | files -> text -> gateway -> base. A folder may import those listed for it, and base.
 */
const mayImport = {
  base: [],
  gateway: [],
  text: ["gateway"],
  prompts: ["text", "gateway"],
  files: ["text", "gateway"],
  edits: ["prompts", "text", "gateway"],
  settings: ["text", "gateway"],
  ui: ["files", "text", "gateway"],
  reading: ["ui", "files", "text", "gateway"],
  problems: ["reading", "ui", "text"],
  failures: ["ui", "settings", "text", "gateway"],
  usage: ["failures", "ui", "settings", "prompts", "files", "text", "gateway"],
  status: ["usage", "failures", "ui", "settings", "text", "gateway"],
  setup: ["failures", "ui", "settings", "files", "text", "gateway"],
  apply: ["problems", "reading", "failures", "ui", "edits", "files", "text", "gateway"],
  chat: ["apply", "problems", "failures", "reading", "ui", "settings", "edits", "prompts", "files", "text", "gateway"],
  hunks: ["apply", "failures", "ui", "text", "gateway"],
  inline: [
    "hunks",
    "apply",
    "problems",
    "failures",
    "reading",
    "ui",
    "settings",
    "edits",
    "prompts",
    "text",
    "gateway",
  ],
  completions: ["failures", "reading", "ui", "settings", "prompts", "text", "gateway"],
  git: ["failures", "reading", "ui", "settings", "prompts", "files", "text", "gateway"],
  images: ["failures", "reading", "ui", "settings", "files", "text", "gateway"],
  commands: [
    "chat",
    "completions",
    "inline",
    "images",
    "git",
    "setup",
    "usage",
    "failures",
    "ui",
    "settings",
    "edits",
    "text",
    "gateway",
  ],
};

/** The only files of features that activation may load. The rest loads with features.ts on first use. */
const loadedAtActivation = /register[A-Z]\w*\.ts$|images\/(images|imageInput)\.ts$/;

/** Words of a private dialect that the field's terms have replaced. */
const dialect =
  "theUsers setUpFirst inPassing takeOver heed SilentEntry Surroundings otherRoad connectAhead noChance ToldText noteStrange saidIn saysSomething Unserved unservedBy sayings PassingNotice lookOf saysNothing isFilled meantHunks goOn awaits uninvite tellMenus noteEdits asItIsLaidOut EditWish isHelpless outputLimit complaint costText OrderBrake summed united";

const folders = Object.keys(mayImport);

const layering = folders.map((folder) => {
  const forbidden = folders.filter((other) => ![folder, "base", ...mayImport[folder]].includes(other));
  const patterns = forbidden.map((other) => ({
    regex: `/${other}/`,
    message: `src/${folder} may not import src/${other}.`,
  }));
  patterns.push({ regex: "/(extension|features)\\.ts$", message: "Nothing imports what composes the features." });
  const paths = folder === "gateway" ? [{ name: "vscode", message: "The client knows nothing of VS Code." }] : [];
  return { files: [`src/${folder}/**/*.ts`], rules: { "no-restricted-imports": ["error", { paths, patterns }] } };
});

export default defineConfig(
  { ignores: ["dist", "**/.vscode-test", "test/samples"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreUsingDeclarations: true }],
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "id-denylist": ["error", ...dialect.split(" ")],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Named exports only." },
        { selector: "Program > VariableDeclaration[kind='let']", message: "No module-level state." },
      ],
    },
  },
  { files: ["**/*.d.ts"], rules: { "no-restricted-syntax": "off" } },
  {
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: ["describe", "it"] }] },
  },
  ...layering,
  {
    files: ["src/extension.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^(?!.*(${loadedAtActivation.source})).*/(chat|completions|inline|hunks|images|git|commands)/`,
              message: "Activation loads only what registers a feature.",
            },
          ],
        },
      ],
    },
  },
);
