/** What a model says instead of a completion. */
const apology =
  /^\W{0,4}(?:(?:i am |i['’]m )?unable to\b|(?:please|could you|can you) (?:provide|share|give|show|send)\b.{0,60}\b(?:context|code|file|more)\b|it (?:looks|seems) (?:like|that|as if) (?:the|this|your) \w+ (?:is|are) (?:already )?(?:complete|finished|done)\b|the cursor (?:position )?(?:is|does)\b.{0,80}?(?:\b(?:no|not|nothing|already)\b|n['’]t\b)|i see that\b.{0,60}\bcomplete\b|(?:null|empty) (?:completion|string|response|answer)\W*$|(?:no|none)(?: other| further| additional)? (?:completions?|changes?|suggestions?|edits?)? ?(?:is |are )?(?:needed|required|necessary)\b|it (?:seems|looks like|appears)(?: that)? (?:the|your) (?:cursor|message|code|file|snippet)\b.{0,80}\b(?:no|cut off|nothing|already|incomplete)\b|i(?:['’]m| am) (?:(?:very|really|so) )?(?:sorry|afraid|unable|not able|not sure)\b|(?:i|my|please accept my) apolog|sorry[,.!;: ]+(?:but|i|there|about|this|no)\b|sorry[.!]?$|unfortunately, |i (?:can(?:['’]t|not| not| only)|could(?:n['’]t| not)|won['’]t|do(?:n['’]t| not) (?:have|see|know|think|understand)|need more)\b|as an? (?:ai|(?:large )?language)|no (?:completions?|code|suggestions?|changes?|further|additional|text|insertion|output|answer|response)\b(?: \w+){0,8}\W*$|nothing (?:to|needs?|is|more|else|should|here)\b(?: \w+){1,9}\W*$|there(?:['’]s| is| are) (?:nothing|no )|(?:the|this|your) (?:code|function|file|line|snippet|text) (?:already )?(?:is|looks|seems|appears) (?:already |to be )*(?:complete|fine|correct|finished|done)|n\/a\W*$|抱歉|对不起|很抱歉|我无法|无法(?:补全|完成|提供|确定)|没有(?:需要|可)|代码(?:已经?|是)?完整|无需|不需要)/iu;
const lacks =
  /^(?:(?:there (?:isn['’]t|is not) |not |insufficient |without )(?:enough |more |further )?(?:context|information)\b|(?:it['’]s|it is) (?:unclear|not clear)\b|(?:cannot|can['’]t|could not) (?:complete|determine|provide|assist|help)\b|error: (?:unable|cannot|could not)\b|request (?:declined|denied|refused)|my apologies\b|please (?:share|provide|clarify)\b|(?:could|can|would) you (?:please )?(?:clarify|provide|share)\b|what would you like\b|(?:the|this) \w+ (?:is|are) (?:already )?(?:finished|complete)\b.{0,40}\.$|everything after the cursor\b|désolée?\b|je ne peux pas\b|ich kann (?:das|den|dir|hier|nicht)\b|no puedo\b|não posso\b|non posso\b|je suis désolé|es tut mir leid|entschuldigung\b|lo siento\b|desculpe\b|mi dispiace\b|申し訳|すみません|извините|죄송|请提供|我不(?:确定|知道)|信息不足|此处无需|代码已)/iu;
const emptyMark =
  /^(?:no_completion|\(?(?:空|无)\)?|（(?:空|无)）|<(?:empty|none|nothing)\s?\/?>)$|^[([<{*_"'`\s]{1,4}(?:no[ _-](?:completion|code|suggestion|change|text|op)s?|empty|nothing|none|blank)(?: (?:needed|required|necessary|string|completion))?[)\]>}*_"'`.\s]{1,4}$/i;

/** What introduces a completion: a greeting, a label or a sentence before a colon. */
const greeting =
  /^(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|great|got it|here you (?:go|are)|here it is|understood|alright|good question)(?:[!.]|:$|,(?! *\w+ *:?=)|$)/i;
const offers =
  /^(?:i(?:['’]ll| will| can| have|['’]ve|['’]d)|let me|let['’]s) (?:help|complet|continu|finish|fill|insert|add|provid)\w*\b.{0,200}[.:!]$/i;
const label =
  /^[*_#>\s]{0,6}(?:(?:the |your |my )?(?:my |proposed |most likely |next |completed?|code|missing|inserted?|suggested|resulting|final|full|updated|corrected|fixed|generated) ?)*(?:code|completion|answer|output|result|solution|snippet|continuation|assistant|response|suggestion|implementation|insertion|middle|explanation|notes?|text|section|part|fill-in)[*_\s]{0,4}[:：][*_\s]{0,4}$/i;
const title =
  /^(?:#{2,6} |\*\*)(?:the )?(?:complet(?:ed|ion)|missing|inserted|suggested|code|solution|answer|result|output|fill-in) ?(?:code|line|lines|text|part|function|snippet)?\*{0,2}[:：]?\*{0,2}$/i;
const states =
  /^(?:below (?:is|are)|here(?:['’]s| is| are)) (?:the |your |a )?(?:\w+ ){0,2}(?:completion|completed code|code|continuation|snippet|answer)\b[^.]{0,80}\.$|^you (?:need|have|should|can|could) (?:to )?(?:add|insert|use)\b.{0,80}:$/i;
const pointsAt =
  /^[*_#>\s]{0,6}(?:here(?:['’]s| is| are| it is| you go| you are)?|below (?:is|are)|the following|this is|(?:use|try|insert|add|replace|looking at|you can|you could|you should|i would|i['’]d|it should|my |i['’]ve|i have|let me|the (?:completed?|completion|missing|code|function|rest|next|text|snippet|answer))|these are|complet(?:ed|ing)|based on|given|to (?:complete|continue|finish|fill))\b/i;
const aboutCode =
  /\b(?:complet\w*|code|snippet|function|method|cursor|continuation|missing|implementation|insert\w*|suggestion|solution|text|lines?|fill\w*|rest|what you|next|answer|result|continu\w*|part|gap|section|rest)\b|代码|补全/i;
const chineseIntro =
  /^[*_#>\s]{0,6}(?:好的|当然|以下|下面|这里|这是|这样|补全|代码|完整|根据|说明|解释|注意|此代码|这段|该代码|该函数|此函数|上述|上面|这个|希望|如果你|如果您|请)/;
const foreignIntro =
  /^(?:voici|voilà|bien sûr|hier (?:ist|sind)|natürlich|gerne|claro|aquí|aqui|por supuesto|ecco|certo|certamente|これ|以下|次|もちろん|はい|вот|конечно|다음|물론|여기)/iu;
const foreignExplanation =
  /^(?:ce code|cette (?:ligne|fonction)|dieser code|diese (?:zeile|funktion)|este código|esta (?:línea|función)|questo codice|このコード|これで|этот код|эта |이 코드)/iu;

/** What follows a completion: explanations and good wishes. */
const explains =
  /^[*_#>\-\s]{0,6}(?:this|that|it|these|the (?:above|code|completion|function|method|snippet|implementation|rest|missing|inserted|added|line|text|result|loop|variable|value|key|changes?)|explanations?|notes?|in this|in the|i(?:['’](?:ve|ll|m|d))?|i (?:have|added|completed|used|assumed|hope)|we|let me|let['’]s|hope|feel free|you|with this|where|which|if you|please|make sure|remember|above|now|here|what)\b/i;

const explainsCode =
  /^(?:(?:this|in this) (?:completes|will complete|code|completion|line|snippet)\b|the (?:above|completion|code above|provided)\b|\W{0,4}(?:explanation|notes?)\W{0,3}[:：]|let me know\b|(?:i )?hope (?:this|that|it)\b|feel free\b|i(?:['’]ve| have) (?:added|completed|inserted|filled)\b)/i;

/** What a model says that it did. */
const ownWork =
  /^\W{0,4}(?:(?:please )?note that )?i(?:['’]ve| have)? (?:kept|added|completed|used|assumed|left|inserted|filled|followed|haven['’]t|did not|didn['’]t)\b/i;

/** Whether an answer, or the first line of it, is an apology or says that there is nothing to add. */
export function isApology(line: string): boolean {
  const text = line.trim().slice(0, 300);
  return apology.test(text) || lacks.test(text) || emptyMark.test(text);
}

/** Whether a line names a file, as over its code. */
export function isPath(line: string): boolean {
  return /^[*_#`\s]{0,6}(?:file(?:path|name)?: ?)?`?(?:[\w.@~+-]{0,60}\/){1,20}(?:[\w.+:-]{1,80}\.\w{1,8}|Makefile|Dockerfile)`?[*_:]{0,4}$/i.test(
    line.slice(0, 300).trimEnd(),
  );
}

/** Whether a line is a heading over an explanation. */
export function isHeading(line: string): boolean {
  if (/^(?:key points|how it works|what changed|explanation):$/i.test(line.trim())) return true;
  return /^(?:#{1,6} |\*\*)(?:explanation|notes?|how (?:it|this) works|what (?:this|it|the code) does|what changed|key points|why (?:this|it))\b.{0,40}$/i.test(
    line.slice(0, 200).trim(),
  );
}

/** Whether a line is a heading over a completion. */
export function isTitle(line: string): boolean {
  return title.test(line.slice(0, 200).trim());
}

/** Whether a line surely introduces a completion, even among sentences. */
export function isIntroduction(line: string): boolean {
  const text = line.trim().slice(0, 400);
  // In code, a word in small letters before a colon is a key.
  if (
    (label.test(text) && !/^(?:code|text|output|result|response|section|part|notes?):$/.test(text)) ||
    title.test(text)
  )
    return true;
  if (states.test(text)) return true;
  const isOpenEnded = /[:：][*_]{0,3}$/.test(text);
  if (chineseIntro.test(text)) return isOpenEnded || /[。！!]$/.test(text);
  if (foreignIntro.test(text)) return /[:：!.]$/.test(text);
  if (greeting.test(text)) return text.length < 24 || /[.:!：]$/.test(text) || aboutCode.test(text);
  if (offers.test(text)) return true;
  if (isOpenEnded && /^(?:i|it|you|we) (?:would|should|could|can|will|suggest|propose)\b[^{}();=]{0,80}$/i.test(text))
    return true;
  return isOpenEnded && pointsAt.test(text) && aboutCode.test(text) && !/[;{}]/.test(text);
}

/** Whether a line surely explains a completion, even among sentences. */
export function isExplanation(line: string): boolean {
  const text = line.trim().slice(0, 400);
  if (chineseIntro.test(text) || foreignExplanation.test(text)) return true;
  if (/^[*_#\s]{0,6}(?:explanations?|what (?:changed|this does)|how it works)[*_\s]{0,3}:?[*_\s]{0,3}/i.test(text))
    return true;
  if (
    /^(?:let me know|hope this|i hope|feel free|would you like me|is there anything else|do you want me)\b/i.test(text)
  )
    return true;
  if (explainsCode.test(text) || ownWork.test(text)) return true;
  return (
    explains.test(text) &&
    /\b(?:complet\w*|the (?:code|snippet|function|cursor|missing|inserted|rest|implementation)|this (?:code|snippet|line))\b/i.test(
      text,
    )
  );
}

/** Whether a line can only be about code that was just written. */
export function isExplanationOfCode(line: string): boolean {
  return explainsCode.test(line.trim().slice(0, 400));
}

/** Whether a line is a sentence that starts like a remark on code. */
export function isRemark(line: string): boolean {
  return (
    /^(?:\W{0,3}notes?\b|this\b|these\b|in this\b|i['’]ve\b|i have\b|the \w+ (?:is|will|now|follows)\b)/i.test(
      line.trim(),
    ) && isSentence(line)
  );
}

/** Whether a line of code reads as a sentence and as nothing else. */
export function isSentence(line: string): boolean {
  const text = line.trim().slice(0, 400);
  if (text.length < 10) return false;
  if (/^[*_#>\s]{0,6}(?:(?!\p{Script=Latin})\p{L}){2}/u.test(text))
    return /[。：:！.!?？]$/.test(text) || !/[=;{}()]/.test(text);
  const plain = text
    .replace(/^(?:[*_>\-•]{1,3} |\d{1,2}[.)] |\*\*|__)+/, "")
    .replace(/`[^`]{1,120}`|"[^"]{1,120}"|“[^”]{1,120}”/g, "word");
  if (!/^(?:\p{Lu}[\p{L}'’]*|I['’]\w+)[ ,.:!]/u.test(plain) && !plain.startsWith("word ")) return false;
  const words = plain.replace(/ (?=[:!?]$)/, "").split(/\s+/);
  if (words.length < 3) return false;
  const plainWords = words.filter((word) =>
    /^[("'“‘*_]{0,3}[\p{L}'’-]+[)"'”’*_]{0,3}[,.:;!?]{0,3}$/u.test(word),
  ).length;
  if (plainWords < words.length * 0.7 || /[{}=;|\\<>]$|^\S+ \S+ [=<>]/.test(plain)) return false;
  if (/^[A-Z]{2,} /.test(plain) && !/[.!]$/.test(plain)) return false;
  return /[.!?:。：][*_)"'”]{0,3}$/.test(plain)
    ? words.length >= 4 || /[:!?]$/.test(plain) || explains.test(plain)
    : words.length >= 4 && explains.test(plain);
}
