/** Compiled by `tsc`, never run: a function whose parameters differ from json-server's is not a mixin. */
import type { Database, Mixins } from 'json-server'

export function mixIn({ _ }: Database, mixins: Mixins): void {
  _.mixin(mixins)
  // @ts-expect-error json-server calls it with a collection and a record.
  _.mixin({ ...mixins, insert: (collection: unknown[], id: string) => [collection, id] })
  // @ts-expect-error Fields to sort by are names.
  _.mixin({ ...mixins, orderBy: (_collection: unknown, paths: readonly number[]) => paths })
  const { filter: _filter, ...others } = mixins
  // @ts-expect-error All of them replace lodash's.
  _.mixin(others)
  // @ts-expect-error The router calls no such function.
  _.mixin({ ...mixins, findById: () => undefined })
}
