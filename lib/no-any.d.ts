/** What TypeScript declares as `any`, declared as what is known of it, so that the compiler asks for a type guard. */

interface ObjectConstructor {
  /** Of what is no object, it makes one. */
  (value: unknown): Record<string, unknown>
  create<Prototype extends object>(prototype: Prototype, properties?: PropertyDescriptorMap): Prototype
  create(prototype: null, properties?: PropertyDescriptorMap): object
  entries<Value>(value: { readonly [name: string]: Value } | ArrayLike<Value>): [string, Value][]
  entries(value: object): [string, unknown][]
  fromEntries<Value>(entries: Iterable<readonly [PropertyKey, Value]>): Record<string, Value>
  fromEntries(entries: Iterable<readonly unknown[]>): Record<string, unknown>
  getPrototypeOf(value: unknown): object | null
  setPrototypeOf<Value extends object, Prototype extends object | null>(
    value: Value,
    prototype: Prototype,
  ): Value & Prototype
  values<Value>(value: { readonly [name: string]: Value } | ArrayLike<Value>): Value[]
  values(value: object): unknown[]
}

interface ArrayConstructor {
  isArray(value: unknown): value is readonly unknown[]
}

interface JSON {
  parse(text: string, revive?: (name: string, value: unknown) => unknown): unknown
}

declare namespace Reflect {
  function get(target: object, name: PropertyKey, receiver?: unknown): unknown
}
