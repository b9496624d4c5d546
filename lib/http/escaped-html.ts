/** A text that HTML shows as it is, within an attribute, too. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
