// A first process with a real client: deploys order.bpmn, works on its jobs, waits for the result.
//
//   npm install @camunda8/sdk
//   node order.js [HOST:PORT]
'use strict'
const path = require('node:path')
const { Camunda8 } = require('@camunda8/sdk')

const zeebe = new Camunda8({
  ZEEBE_GRPC_ADDRESS: `grpc://${process.argv[2] || process.env.BEELINE_ADDRESS || '127.0.0.1:26500'}`,
  CAMUNDA_AUTH_STRATEGY: 'NONE',
  CAMUNDA_LOG_LEVEL: 'error',
}).getZeebeGrpcApiClient()

// A worker asks for jobs of one type and completes each with the variables it has to add.
const work = (taskType, add) =>
  zeebe.createWorker({
    taskType,
    loglevel: 'NONE',
    taskHandler: (job) => {
      console.log(`${taskType}: ${JSON.stringify(job.variables)}`)
      return job.complete(add(job))
    },
  })

async function main() {
  const { deployments } = await zeebe.deployResource({ processFilename: path.join(__dirname, 'order.bpmn') })
  console.log(`deployed ${deployments[0].process.bpmnProcessId} version ${deployments[0].process.version}`)

  work('charge-card', (job) => ({ receipt: `${job.variables.amount} ${job.customHeaders.currency}` }))
  work('book-freight', () => ({ carrier: 'freight' }))
  work('send-parcel', () => ({ carrier: 'parcel' }))

  for (const quantity of [2, 50]) {
    const { variables } = await zeebe.createProcessInstanceWithResult({
      bpmnProcessId: 'order',
      variables: { quantity, price: 9.5 },
      requestTimeout: 30_000,
    })
    console.log(`done: ${JSON.stringify(variables)}`)
  }
}

// Exiting cuts the workers' waiting polls short; close() would wait for them.
main().then(
  () => process.exit(0),
  (error) => {
    console.error(error.message)
    process.exit(1)
  },
)
