import express, { type Request, type Response } from 'express'
import { compileRules, type RewriteRules } from '../../../http/rewrite-rules'

/** Takes the address of a request, and gives the one to which the rules lead it. */
export type Rewrite = (address: string) => string

/**
 * A path with a number in the place of each name: one that no rule is likely to name, and that rules for
 * numbers match.
 */
export function exampleOf(path: string): string {
  let index = 0
  return path.replace(/\{\w+\}/g, () => exampleValue(index++))
}

/** The example for the name at this place in a path, from 0. */
export function exampleValue(index: number): string {
  return String(987654321 + index)
}

/** Rewrites an address by all rules, with the code that the server uses for requests. */
export function addressRewriter(rules: RewriteRules): Rewrite {
  const rewrite = compileRules(rules)
  return (address) => {
    const request: Request = Object.create(express.request)
    const response: Response = Object.create(express.response)
    request.url = request.originalUrl = address
    request.method = 'GET'
    rewrite(request, response)
    return request.url
  }
}
