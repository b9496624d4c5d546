import express, { type Request, type Response } from 'express'
import { compileRules, type RewriteRules } from '../../http/rewrite-rules'

/** Gives the address that a request for this one has after all rules, as the server itself applies them. */
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

/** A value that a rewrite rule is not likely to name, but that one for numbers alone takes. */
export const EXAMPLE_VALUE = '987654321'

/** A path of the document as a request may have it. */
export function exampleAddress(template: string): string {
  return template.replace(/\{[^{}]*\}/g, EXAMPLE_VALUE)
}
