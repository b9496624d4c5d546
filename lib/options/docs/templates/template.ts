/**
 * Fills values in: takes a part of a document, as a JSON file has it, with `{{names}}` in its texts and keys.
 * A text that is nothing else becomes the value itself, such as a list.
 *
 * @returns a function that makes a copy with these values in the place of the names. The copy has the type
 * that the caller names, unchecked: the tests hold whole documents against the schema of OpenAPI.
 */
export function template<Filled>(part: unknown): (values: object) => Filled {
  const text = JSON.stringify(part)
  return (values) => {
    const byName = new Map(Object.entries(values))
    return JSON.parse(
      text
        .replace(/"\{\{(\w+)\}\}"/g, (_all, name) => JSON.stringify(byName.get(name)))
        .replace(/\{\{(\w+)\}\}/g, (_all, name) => JSON.stringify(String(byName.get(name))).slice(1, -1)),
    )
  }
}
