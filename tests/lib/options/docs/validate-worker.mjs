/**
 * Validates OpenAPI documents against the official schema, and lints them by the strictest rules of another tool. A worker,
 * because both tools are ECMAScript modules, which jest cannot load.
 */
import { parentPort } from 'node:worker_threads'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'no-invalid-media-type-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-invalid-schema-examples': 'error',
    'operation-operationId': 'error',
    // The name of a collection says what its tag is for.
    'tag-description': 'off',
    'no-duplicated-tag-names': 'error',
    // The data names the paths.
    'paths-kebab-case': 'off',
    // The user lookup has no 4xx for a request without an id, and the list of blogs none at all.
    'operation-4xx-response': 'off',
    // The shared parts are the same in every document.
    'no-unused-components': 'off',
    // The data has no license.
    'info-license': 'off',
    'info-contact': 'off',
    // A concrete path goes before one with placeholders (OpenAPI 3.1, Paths Object).
    'no-ambiguous-paths': 'off',
  },
})

const validator = new Validator()

parentPort.on('message', async ({ id, text }) => {
  try {
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const { valid, errors } = await validator.validate(JSON.parse(text))
    parentPort.postMessage({
      id,
      problems: [
        ...problems.map(
          ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`,
        ),
        ...(valid ? [] : [`schema: ${JSON.stringify(errors)}`]),
      ],
    })
  } catch (error) {
    parentPort.postMessage({ id, problems: [String(error?.stack ?? error)] })
  }
})
