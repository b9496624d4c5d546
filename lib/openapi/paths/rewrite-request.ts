import express, { type Request, type Response } from 'express'
import { compileRules, type RewriteRules } from '../../http/rewrite-rules'

/** Rewrites an address by all rules, with the code that the server uses for requests. */
export function addressRewriter(rules: RewriteRules): (address: string) => string {
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

/** A value that no rewrite rule names, and that also matches a rule for numbers only. */
export const EXAMPLE_VALUE = '987654321'

/** A path with an example value for each placeholder. */
export function exampleAddress(template: string): string {
  return template.replace(/\{[^{}]*\}/g, EXAMPLE_VALUE)
}
