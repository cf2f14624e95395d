'use strict'
// Many timers that are due at the same moment.
const { suite } = require('./lib/suite')
const { definitions, oneTask } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const COUNT = 10_000
const AT_ONCE = 500

const sleepingUntil = (id) =>
  definitions(
    `<bpmn:process id="${id}" isExecutable="true"><bpmn:startEvent id="start" />` +
      '<bpmn:intermediateCatchEvent id="nap"><bpmn:timerEventDefinition><bpmn:timeDate>=at</bpmn:timeDate>' +
      '</bpmn:timerEventDefinition></bpmn:intermediateCatchEvent><bpmn:endEvent id="end" />' +
      '<bpmn:sequenceFlow id="a" sourceRef="start" targetRef="nap" />' +
      '<bpmn:sequenceFlow id="b" sourceRef="nap" targetRef="end" /></bpmn:process>',
  )

suite('timers', {}, ({ check, raw, deploy, server }) => {
  const active = async () => {
    const { body } = await server().get('/metrics')
    return Number(/^beeline_instances_active\S* (\d+)/m.exec(body)[1])
  }

  check('T23 ten thousand are due at once: all fire, and others get their turn', async () => {
    const [id, other] = [unique('p'), unique('p')]
    await deploy(sleepingUntil(id))
    await deploy(oneTask(other, unique('t')))
    const create = (bpmnProcessId, variables) =>
      raw().call('CreateProcessInstance', { bpmnProcessId, version: -1, variables: JSON.stringify(variables) })
    // This is time enough to create all instances.
    const at = new Date(Date.now() + 15_000)
    for (let made = 0; made < COUNT; made += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => create(id, { at: at.toISOString() })))
    }
    let others = 0
    await until('only the others are left', async () => {
      await create(other, {})
      others += 1
      return (await active()) <= others
    }, 60_000)
    await until('the others are all there', async () => (await active()) === others)
  })
})
