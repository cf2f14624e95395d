'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { suite } = require('./lib/suite')
const { ROOT } = require('./lib/server')
const { definitions } = require('./lib/models')
const { unique } = require('./lib/wait')

suite('compensation and escalation', { concurrency: 2 }, ({ check, node, raw, deploy }) => {
  check('the example of a trip undoes its bookings when the card is refused', async () => {
    await deploy(fs.readFileSync(path.join(ROOT, 'examples/trip.bpmn'), 'utf8'), 'trip.bpmn')
    const zeebe = node()
    const done = []
    const work = (taskType, finish) =>
      zeebe.createWorker({
        taskType,
        taskHandler: (job) => {
          done.push(`${taskType} ${job.variables.trip}`)
          return finish(job)
        },
      })
    for (const type of ['book-flight', 'book-hotel', 'cancel-flight', 'cancel-hotel']) {
      work(type, (job) => job.complete())
    }
    work('charge-trip', (job) => (job.variables.rich ? job.complete() : job.error('card-refused', 'no money')))

    const travel = (variables) =>
      zeebe.createProcessInstanceWithResult({ bpmnProcessId: 'trip', variables, requestTimeout: 60_000 })
    await travel({ trip: 'rich', rich: true })
    assert.deepEqual(done, ['book-flight rich', 'book-hotel rich', 'charge-trip rich'])
    await travel({ trip: 'poor', rich: false })
    assert.deepEqual(done.slice(3, 6), ['book-flight poor', 'book-hotel poor', 'charge-trip poor'])
    assert.deepEqual(done.slice(6).sort(), ['cancel-flight poor', 'cancel-hotel poor'])
  })

  check('the example of a transaction cancels its bookings when they are too expensive', async () => {
    await deploy(fs.readFileSync(path.join(ROOT, 'examples/transaction.bpmn'), 'utf8'), 'transaction.bpmn')
    const zeebe = node()
    const done = []
    const work = (taskType, result = {}) =>
      zeebe.createWorker({
        taskType,
        taskHandler: (job) => {
          done.push(`${taskType} ${job.variables.budget}`)
          return job.complete(result)
        },
      })
    work('book-train', { trainPrice: 60 })
    work('book-room', { roomPrice: 80 })
    for (const type of ['cancel-train', 'cancel-room', 'send-tickets', 'send-regrets']) work(type)

    const travel = (budget) =>
      zeebe.createProcessInstanceWithResult({
        bpmnProcessId: 'journey',
        variables: { budget },
        requestTimeout: 60_000,
      })
    await travel(200)
    assert.deepEqual(done, ['book-train 200', 'book-room 200', 'send-tickets 200'])
    await travel(100)
    assert.deepEqual(done.slice(3, 5), ['book-train 100', 'book-room 100'])
    assert.deepEqual(done.slice(5, 7).sort(), ['cancel-room 100', 'cancel-train 100'])
    assert.deepEqual(done.slice(7), ['send-regrets 100'])
  })

  check('an escalation of a called process is told to the caller, and the work goes on', async () => {
    const [child, parent, tell, work] = [unique('child'), unique('parent'), unique('tell'), unique('work')]
    const task = (id, type, flows) =>
      `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" />` +
      `</bpmn:extensionElements>${flows}</bpmn:serviceTask>`
    const flow = (from, to) => `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`
    const escalation = '<bpmn:escalation id="slow" escalationCode="slow" />'
    const definition = '<bpmn:escalationEventDefinition id="d" escalationRef="slow" />'
    await deploy(
      definitions(
        `${escalation}<bpmn:process id="${child}" isExecutable="true"><bpmn:startEvent id="s" />` +
          `<bpmn:intermediateThrowEvent id="late">${definition}</bpmn:intermediateThrowEvent>` +
          `${task('work', work, '')}<bpmn:endEvent id="e" />` +
          `${flow('s', 'late')}${flow('late', 'work')}${flow('work', 'e')}</bpmn:process>`,
      ),
      'child.bpmn',
    )
    await deploy(
      definitions(
        `${escalation}<bpmn:process id="${parent}" isExecutable="true"><bpmn:startEvent id="s" />` +
          '<bpmn:callActivity id="call"><bpmn:extensionElements>' +
          `<zeebe:calledElement processId="${child}" /></bpmn:extensionElements></bpmn:callActivity>` +
          `<bpmn:boundaryEvent id="told" attachedToRef="call" cancelActivity="false">${definition}</bpmn:boundaryEvent>` +
          `${task('tell', tell, '')}<bpmn:endEvent id="e" />` +
          `${flow('s', 'call')}${flow('call', 'e')}${flow('told', 'tell')}</bpmn:process>`,
      ),
      'parent.bpmn',
    )
    const result = node().createProcessInstanceWithResult({
      bpmnProcessId: parent,
      variables: {},
      requestTimeout: 60_000,
    })
    for (const type of [tell, work]) {
      const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
      assert.equal(jobs.length, 1)
      await raw().call('CompleteJob', { jobKey: jobs[0].key, variables: JSON.stringify({ [type]: true }) })
    }
    assert.deepEqual((await result).variables, { [tell]: true, [work]: true })
  })
})
