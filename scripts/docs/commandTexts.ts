import type { CommandName } from "../../src/manifest.ts";

/** What each command of the Command Palette does, in English and in Chinese. */
export const commandTexts: Partial<Record<CommandName, readonly [english: string, chinese: string]>> = {
  setUp: [
    "Asks for URLs and keys in four steps, saves them, and tests the connection.",
    "分四步填写 URL 和密钥，保存并测试连接。",
  ],
  setApiKey: [
    "Asks for the key of a group and stores it. Stored keys are never shown.",
    "填写并保存某个组的密钥。已保存的密钥不会再显示。",
  ],
  removeApiKey: ["Removes a stored key.", "移除已保存的密钥。"],
  openChat: [
    "Opens the Chat view with `@codex` in the input. In Restricted Mode, it also selects a model.",
    "打开聊天视图，并在输入框中填入 `@codex`。在受限模式下还会选中一个模型。",
  ],
  generateImage: [
    "Asks for a prompt and a size, saves the image in the workspace, and opens it.",
    "填写提示词并选择尺寸，将图像保存到工作区并打开。",
  ],
  recoverImages: [
    "Downloads images that are paid for but not saved, without requesting them again.",
    "下载已付费但尚未保存的图像，不会重新生成。",
  ],
  openImage: ["Opens the newest image.", "打开最新的图像。"],
  insertImageLink: [
    "Inserts a link to the newest image into the document you last edited, in the syntax of its language.",
    "在最近编辑的文档中插入最新图像的链接，并采用该文档语言的语法。",
  ],
  revealImage: ["Shows the newest image in the Explorer.", "在资源管理器中显示最新的图像。"],
  copyImagePath: ["Copies the path of the newest image.", "复制最新图像的路径。"],
  generateImageAgain: [
    "Asks for confirmation, then generates an image with the prompt and size of the newest one.",
    "经确认后，用最新图像的提示词和尺寸再生成一张。",
  ],
  clearHistory: [
    "Asks for confirmation, then deletes the image history and unsaved images. Image files are kept.",
    "经确认后，删除图像历史记录和尚未保存的图像。图像文件会保留。",
  ],
  selectModel: ["Selects the model for `@codex`.", "选择 `@codex` 使用的模型。"],
  useForAiFeatures: [
    "Uses the gateway's models in Ask, Agent, and VS Code's inline chat, after showing which settings change.",
    "先列出将要更改的设置，经确认后在“询问”、智能体和 VS Code 的内联聊天中使用网关的模型。",
  ],
  stopUsingForAiFeatures: ["Restores the previous settings.", "恢复原来的设置。"],
  generateCommitMessage: [
    "Writes a commit message into the input box of the Source Control view.",
    "将提交消息写入“源代码管理”视图的输入框。",
  ],
  stopCommitMessage: [
    "Stops writing the commit message, and restores what was in the box.",
    "停止编写提交消息，并恢复输入框中原有的内容。",
  ],
  reviewChanges: [
    "Looks for problems in the staged changes, or in all changes, and shows them on their lines.",
    "在已暂存的更改或全部更改中查找问题，并显示在对应的代码行上。",
  ],
  "review.fix": ["Asks inline chat to fix the finding at the cursor.", "通过内联聊天修复光标处的问题。"],
  "review.dismiss": ["Removes the finding at the cursor.", "移除光标处的问题。"],
  "review.next": ["Goes to the next finding, also in another file.", "转到下一个问题，也可转到其他文件。"],
  "review.showSummary": ["Shows all findings, and what was not reviewed.", "显示所有问题以及未审查的内容。"],
  "review.clear": ["Removes all findings and the summary.", "移除所有问题和摘要。"],
  "completions.configure": [
    "Chooses when code is completed: never, on demand, or while typing.",
    "选择何时补全代码：从不、按需或输入时。",
  ],
  "completions.switchLanguage": [
    "Turns completions off, or on again, in the language of the active editor.",
    "在当前编辑器的语言中关闭代码补全，或重新打开。",
  ],
  "completions.pause": [
    "Turns completions off for an hour, also in windows that you open meanwhile.",
    "将代码补全关闭一小时，其间打开的窗口同样如此。",
  ],
  "completions.resume": ["Ends the pause.", "结束暂停。"],
  copySetUpLink: [
    "Copies a link that sets up the same entries and model for others. It contains no key.",
    "复制一个链接，供其他人设置相同的入口和模型。其中不含密钥。",
  ],
  testConnection: [
    "Tests each entry with each key, and shows what fails and how to fix it. Image tests cost nothing.",
    "用每个密钥测试每个入口，说明哪里有问题以及如何解决。图像测试不产生费用。",
  ],
  showUsage: [
    "Shows requests, tokens, images, and, at your prices, costs of today, this week, and this month.",
    "显示今天、本周和本月的用量，以及按您设置的价格计算的费用。",
  ],
  showLog: [
    "Shows the entry, status, duration, and request ID of each request. The log contains no keys.",
    "显示每次请求的入口、状态码、耗时和请求 ID。日志中没有密钥。",
  ],
  showMenu: ["Shows the main commands, like a click on the status bar item.", "列出主要命令，与点击状态栏项效果相同。"],
  applyEdit: [
    "Writes the files of the last edit that `@codex` proposed, all or none.",
    "写入 `@codex` 上次提议的编辑中的所有文件；如有失败，则全部不写入。",
  ],
  reviewEdit: [
    "Shows the changes of the last edit that `@codex` proposed in one diff.",
    "在一个差异视图中显示 `@codex` 上次提议的编辑。",
  ],
  showEdit: ["Lists the files of the last edit with what became of each.", "列出上次编辑的文件和每个文件的状态。"],
  keepEdit: [
    "Accepts the last edit of `@codex`, so that **Undo Last Edit** passes over it.",
    "接受 `@codex` 的上次编辑，**撤消上次编辑**会跳过它。",
  ],
  undoEdit: [
    "Takes back the last edit of `@codex`, except in files that have changed since.",
    "撤消 `@codex` 的上次编辑，之后又更改过的文件除外。",
  ],
  fixEdit: [
    "Asks `@codex` for a fix of the errors that the last edit has brought.",
    "请求 `@codex` 修复上次编辑带来的错误。",
  ],
  inlineChat: [
    "Opens inline chat for the selection or the enclosing symbol.",
    "就所选代码或光标所在的符号打开内联聊天。",
  ],
  "inlineChat.stop": ["Stops the answer in progress.", "停止正在生成的回答。"],
  "inlineChat.apply": [
    "Applies the change of an answer to the code, as a single undo step.",
    "将回答中的更改应用到代码，一步即可撤消。",
  ],
  "inlineChat.showDiff": ["Compares the code before and after the change.", "对比更改前后的代码。"],
  "inlineChat.insertBelow": [
    "Inserts the code of an answer below the code you asked about.",
    "将回答中的代码插入到所问代码的下方。",
  ],
  "inlineChat.replaceSelection": [
    "Replaces the lines you asked about with the code of an answer.",
    "用回答中的代码替换所问的行。",
  ],
  "inlineChat.copy": [
    "Copies the code of an answer, or the whole answer if it has no code.",
    "复制回答中的代码；如果没有代码，则复制整个回答。",
  ],
  "inlineChat.askAgain": [
    "Asks the same question again, about the current code.",
    "针对当前的代码重新提出同一个问题。",
  ],
  "inlineChat.showAnswer": [
    "Shows the whole answer again after its change is applied.",
    "应用更改后，再次显示整个回答。",
  ],
  "inlineChat.fixNewProblems": [
    "Asks for a fix of the errors that an applied change has brought.",
    "请求修复已应用的更改所带来的错误。",
  ],
  "inlineChat.keep": [
    "Keeps the changed place at the cursor and removes its highlighting.",
    "保留光标处的更改，并取消其高亮显示。",
  ],
  "inlineChat.undo": [
    "Restores the lines of the changed place at the cursor as they were before.",
    "将光标处的更改恢复为原来的代码。",
  ],
  "inlineChat.keepAll": [
    "Keeps all changed places of the answer at the cursor, or else in the file.",
    "保留光标处回答的所有更改；光标处没有更改时，保留文件中的所有更改。",
  ],
  "inlineChat.undoAll": [
    "Restores all changed places of the answer at the cursor, or else in the file.",
    "撤消光标处回答的所有更改；光标处没有更改时，撤消文件中的所有更改。",
  ],
  "inlineChat.nextChange": [
    "Goes to the next changed place, also in another file.",
    "转到下一处更改，也可转到另一个文件。",
  ],
  "inlineChat.previousChange": [
    "Goes to the previous changed place, also in another file.",
    "转到上一处更改，也可转到另一个文件。",
  ],
  "inlineChat.close": ["Closes inline chat and cancels its request.", "关闭内联聊天并取消其请求。"],
};
