'use strict'
// Conditional events with a real client: a condition over variables, and processes that a client starts
// by evaluating the conditions of their start events.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { definitions } = require('./lib/models')
const { beeline } = require('./lib/server')
const { unique, until } = require('./lib/wait')

const PARTITIONS = 3

// A name that FEEL does not read as a subtraction.
const uniqueName = () => unique('v').replaceAll('-', '_')

const task = (id, type) =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" />` +
  '</bpmn:extensionElements></bpmn:serviceTask>'
const flow = (from, to) => `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`
const waits = (condition) =>
  `<bpmn:conditionalEventDefinition><bpmn:condition>=${condition}</bpmn:condition></bpmn:conditionalEventDefinition>`
const process = (id, body) => definitions(`<bpmn:process id="${id}" isExecutable="true">${body}</bpmn:process>`)

// start, a condition, one task, end
const waiting = (id, type) =>
  process(
    id,
    `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="wait">${waits('x &gt; 5')}</bpmn:intermediateCatchEvent>` +
      `${task('work', type)}<bpmn:endEvent id="end" />${flow('start', 'wait')}${flow('wait', 'work')}${flow('work', 'end')}`,
  )
// started by a condition, one task, end
const started = (id, type, condition) =>
  process(
    id,
    `<bpmn:startEvent id="start">${waits(condition)}</bpmn:startEvent>${task('work', type)}<bpmn:endEvent id="end" />` +
      `${flow('start', 'work')}${flow('work', 'end')}`,
  )

suite('conditions', { partitions: PARTITIONS }, ({ check, raw, deploy, server }) => {
  const evaluate = (variables, processDefinitionKey) =>
    raw().call('EvaluateConditional', { variables: JSON.stringify(variables), processDefinitionKey })
  const work = async (type, count) => {
    const jobs = []
    await until(`${count} jobs of ${type}`, async () => {
      const found = await raw().activate({ type, maxJobsToActivate: 100, requestTimeout: 2_000 })
      await Promise.all(found.jobs.map((job) => raw().call('CompleteJob', { jobKey: job.key })))
      jobs.push(...found.jobs)
      return jobs.length >= count
    })
    assert.equal(jobs.length, count)
    return jobs
  }
  const keyOf = (deployed) => deployed.processDefinitionKey

  check('an instance waits for its condition, also over a crash', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(waiting(id, type))
    const { processInstanceKey } = await raw().call('CreateProcessInstance', {
      bpmnProcessId: id,
      version: -1,
      variables: '{"x":1}',
    })
    const set = (x) =>
      raw().call('SetVariables', { elementInstanceKey: processInstanceKey, variables: JSON.stringify({ x }) })
    await set(5)
    await server().kill()
    await server().restart()
    await set(6)
    const [job] = await work(type, 1)
    assert.equal(job.processInstanceKey, processInstanceKey)
  })

  check('an evaluation starts each process whose condition holds, on any partition', async () => {
    const [variable, first, second] = [uniqueName(), unique('t'), unique('t')]
    const low = keyOf(await deploy(started(unique('low'), first, `${variable} &gt; 1`)))
    const high = keyOf(await deploy(started(unique('high'), second, `${variable} &gt; 10`)))
    const instances = []
    for (let i = 0; i < PARTITIONS; i++) {
      const answer = await evaluate({ [variable]: 5 })
      assert.equal(answer.processInstances.length, 1)
      assert.equal(answer.processInstances[0].processDefinitionKey, low)
      assert.equal(answer.tenantId, '<default>')
      assert.notEqual(answer.conditionalEvaluationKey, '0')
      instances.push(answer.processInstances[0].processInstanceKey)
    }
    const jobs = await work(first, PARTITIONS)
    assert.deepEqual(jobs.map((job) => job.processInstanceKey).sort(), instances.sort())
    assert.deepEqual(JSON.parse(jobs[0].variables), { [variable]: 5 })
    const answer = await evaluate({ [variable]: 11 }, high)
    assert.deepEqual(answer.processInstances.map((each) => each.processDefinitionKey), [high])
    await work(second, 1)
    assert.deepEqual((await evaluate({ [variable]: 1 })).processInstances, [])
  })

  check('an acknowledged evaluation survives a crash', async () => {
    const [variable, type] = [uniqueName(), unique('t')]
    await deploy(started(unique('p'), type, `${variable} = "go"`))
    const answer = await evaluate({ [variable]: 'go' })
    await server().kill()
    await server().restart()
    const [job] = await work(type, 1)
    assert.equal(job.processInstanceKey, answer.processInstances[0].processInstanceKey)
    assert.equal((await evaluate({ [variable]: 'go' })).processInstances.length, 1)
    await work(type, 1)
  })

  check('bad requests are refused', async () => {
    await refused(
      evaluate({ x: 1 }, '777'),
      'NOT_FOUND',
      "Command 'EVALUATE' rejected with code 'NOT_FOUND': Expected to evaluate conditional for process definition key '777', but no such process was found.",
    )
    await refused(raw().call('EvaluateConditional', { variables: '[1]' }), 'INVALID_ARGUMENT')
    await refused(raw().call('EvaluateConditional', { variables: '{}', tenantId: 'acme' }), 'INVALID_ARGUMENT')
  })

  check('the command line evaluates conditions', async () => {
    const [variable, type] = [uniqueName(), unique('t')]
    const definition = keyOf(await deploy(started(unique('p'), type, `${variable} &gt; 1`)))
    const variables = JSON.stringify({ [variable]: 2 })
    const target = ['--address', server().address]
    const all = await beeline(['evaluate-conditional', ...target, '--variables', variables])
    assert.match(all.stdout, /evaluated conditions with key \d+; instances started: 1\n {2}instance \d+ of process/)
    const one = await beeline(['evaluate-conditional', ...target, '--variables', variables, '--definition', definition])
    assert.match(one.stdout, new RegExp(`of process definition ${definition}`))
    await work(type, 2)
  })
})
