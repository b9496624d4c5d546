/** A value, or a function that returns the current one: for what can change while the server runs. */
export type Current<Value extends object> = Value | (() => Value)

/** The value as it is now. */
export function currentOf<Value extends object>(source: Current<Value>): Value {
  return typeof source === 'function' ? source() : source
}

/** Gives what is made from a value: at first use, and again when another has taken its place. */
export function madeFrom<Value extends object, Made>(
  source: Current<Value>,
  make: (value: Value) => Made,
): () => Made {
  let last: { readonly value: Value; readonly made: Made } | undefined
  return () => {
    const value = currentOf(source)
    if (last?.value !== value) last = { value, made: make(value) }
    return last.made
  }
}
