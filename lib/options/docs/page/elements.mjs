export const $ = (id) => document.getElementById(id)

/** An element with properties and children: what is text stays text, whatever it holds. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
