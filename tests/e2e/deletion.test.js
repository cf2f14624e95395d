'use strict'
// Deployed resources are deleted again: on every partition, after the instances that need them, and
// over a crash.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { dmn, literal, oneTask, started } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const PARTITIONS = 3

suite('deletion', { partitions: PARTITIONS }, ({ check, raw, sdk, deploy, server }) => {
  const create = (id) => raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
  const remove = (key) => raw().call('DeleteResource', { resourceKey: key })
  const everywhere = async (body) => {
    for (let n = 0; n < PARTITIONS; n++) await body()
  }
  const fullyDeleted = (key) =>
    server().record(
      'the process is deleted everywhere',
      (r) => r.valueType === 'PROCESS' && r.intent === 'FULLY_DELETED' && String(r.key) === String(key),
    )

  check('[59] a deleted process is not found, a key that nobody knows neither', async () => {
    const id = unique('p')
    const { processDefinitionKey } = await deploy(oneTask(id, 't'))
    assert.equal((await remove(processDefinitionKey)).resourceKey, processDefinitionKey)
    await everywhere(() =>
      refused(create(id), 'NOT_FOUND', `Expected to find process definition with process ID '${id}', but none found`),
    )
    await fullyDeleted(processDefinitionKey)
    await refused(
      remove(processDefinitionKey),
      'NOT_FOUND',
      `Expected to delete resource but no resource found with key \`${processDefinitionKey}\``,
    )
    await refused(remove(4711), 'NOT_FOUND', 'no resource found with key `4711`')
  })

  check('[59] the SDK deletes, and the version before is in force again', async () => {
    const [id, type] = [unique('p'), unique('t')]
    const first = await deploy(oneTask(id, type))
    const second = await deploy(oneTask(id, `${type}2`))
    assert.equal(second.version, 2)
    await sdk().deleteResource({ resourceKey: second.processDefinitionKey })
    await everywhere(async () => {
      assert.equal((await create(id)).processDefinitionKey, first.processDefinitionKey)
    })
    assert.equal((await deploy(oneTask(id, `${type}2`))).version, 3)
  })

  check('a process with instances drains, over a crash too', async () => {
    const [id, type] = [unique('p'), unique('t')]
    const { processDefinitionKey } = await deploy(oneTask(id, type))
    await everywhere(() => create(id))
    await remove(processDefinitionKey)
    await everywhere(() => refused(create(id), 'FAILED_PRECONDITION', 'but it is being deleted'))
    await refused(remove(processDefinitionKey), 'FAILED_PRECONDITION', 'already being deleted')
    await server().kill()
    await server().restart()
    const { jobs } = await raw().activate({ type, maxJobsToActivate: PARTITIONS, requestTimeout: 10_000 })
    assert.equal(jobs.length, PARTITIONS)
    for (const job of jobs) await raw().call('CompleteJob', { jobKey: job.key })
    await fullyDeleted(processDefinitionKey)
    await refused(create(id), 'NOT_FOUND', 'none found')
  })

  check('messages start the version before once the latest is deleted', async () => {
    const [id, name] = [unique('p'), unique('m')]
    const first = await deploy(started(id, unique('t'), `${name}1`))
    const second = await deploy(started(id, unique('t'), `${name}2`))
    await remove(second.processDefinitionKey)
    for (const number of [2, 1]) {
      await raw().call('PublishMessage', { name: `${name}${number}`, correlationKey: unique('k') })
    }
    const created = await until('an instance is made', () => {
      const found = server()
        .records()
        .filter((r) => r.valueType === 'PROCESS_INSTANCE_CREATION' && r.value.bpmnProcessId === id)
      return found.length > 0 && found
    })
    assert.deepEqual(created.map((r) => String(r.value.processDefinitionKey)), [first.processDefinitionKey])
  })

  check('decisions go with their file', async () => {
    const [drg, decision] = [unique('drg'), unique('d')]
    const answer = await raw().call('DeployResource', {
      resources: [{ name: 'rules.dmn', content: Buffer.from(dmn(drg, literal(decision, '1'))) }],
    })
    const file = answer.deployments.find((each) => each.decisionRequirements).decisionRequirements
    await raw().call('EvaluateDecision', { decisionId: decision, variables: '{}' })
    await remove(file.decisionRequirementsKey)
    await everywhere(() => refused(raw().call('EvaluateDecision', { decisionId: decision, variables: '{}' }), 'NOT_FOUND', 'no decision found'))
  })
})
