export function greet(name: string): string {
  return "Hello, " + name + "!";
}

export function greetAll(names: string[]): string {
  let text = "";
  for (let i = 0; i < names.length; i++) {
    text = text + greet(names[i]) + "\n";
  }
  return text;
}
