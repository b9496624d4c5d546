export { mainFaults } from './faults-step'
export { sandboxFaults } from './sandbox-faults'
