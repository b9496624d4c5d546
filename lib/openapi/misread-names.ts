/** Programs that copy a document set a prototype by the first, follow the second, and call the third. */
const MISREAD_NAMES = ['__proto__', '$ref', 'hasOwnProperty']

/** Whether a name of the data cannot stand in a document, because programs that read it stumble. */
export function isMisreadName(name: string): boolean {
  return MISREAD_NAMES.includes(name) || /\p{Surrogate}/u.test(name)
}
