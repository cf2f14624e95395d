'use strict'
// BPMN for the tests, from a list of elements and a list of flows.

const escape = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])

const start = (id = 'start') => ({ tag: 'startEvent', id })
const end = (id = 'end') => ({ tag: 'endEvent', id })
const manual = (id) => ({ tag: 'manualTask', id })
const undefinedTask = (id) => ({ tag: 'task', id })
const exclusive = (id, defaultFlow) => ({ tag: 'exclusiveGateway', id, defaultFlow })
const parallel = (id) => ({ tag: 'parallelGateway', id })
const subprocess = (id, nodes, flows) => ({ tag: 'subProcess', id, nodes, flows })

// options: type, retries, priority, headers {k: v}, inputs and outputs [[source, target], ...]
function service(id, options = {}) {
  const parts = []
  const { type = 'work', retries, priority, headers, inputs = [], outputs = [] } = options
  parts.push(
    `<zeebe:taskDefinition type="${escape(type)}"${retries === undefined ? '' : ` retries="${escape(retries)}"`} />`,
  )
  if (priority !== undefined) parts.push(`<zeebe:jobPriorityDefinition priority="${escape(priority)}" />`)
  if (headers) {
    const all = Object.entries(headers).map(
      ([key, value]) => `<zeebe:header key="${escape(key)}" value="${escape(value)}" />`,
    )
    parts.push(`<zeebe:taskHeaders>${all.join('')}</zeebe:taskHeaders>`)
  }
  if (inputs.length + outputs.length > 0) {
    const mapping = (kind) => ([source, target]) =>
      `<zeebe:${kind} source="${escape(source)}" target="${escape(target)}" />`
    parts.push(
      `<zeebe:ioMapping>${inputs.map(mapping('input')).join('')}${outputs.map(mapping('output')).join('')}</zeebe:ioMapping>`,
    )
  }
  return { tag: 'serviceTask', id, extension: parts.join('') }
}

// A business rule task that calls a decision.
const rule = (id, decisionId, resultVariable) => ({
  tag: 'businessRuleTask',
  id,
  extension: `<zeebe:calledDecision decisionId="${escape(decisionId)}" resultVariable="${resultVariable}" />`,
})

// Without flows, the nodes form a chain in the given order. A flow is [from, to, options], options:
// id, condition.
function scope(nodes, flows) {
  const chain = flows || nodes.slice(1).map((node, i) => [nodes[i].id, node.id])
  const named = chain.map(([from, to, options = {}]) => ({ from, to, id: `${from}_to_${to}`, ...options }))
  const xml = nodes.map((node) => {
    const inner = [
      node.extension ? `<bpmn:extensionElements>${node.extension}</bpmn:extensionElements>` : '',
      ...named.filter((flow) => flow.to === node.id).map((flow) => `<bpmn:incoming>${flow.id}</bpmn:incoming>`),
      ...named.filter((flow) => flow.from === node.id).map((flow) => `<bpmn:outgoing>${flow.id}</bpmn:outgoing>`),
      node.nodes ? scope(node.nodes, node.flows) : '',
      node.body || '',
    ].join('')
    const defaultFlow = node.defaultFlow ? ` default="${node.defaultFlow}"` : ''
    return `<bpmn:${node.tag} id="${node.id}"${defaultFlow}>${inner}</bpmn:${node.tag}>`
  })
  const edges = named.map((flow) => {
    const condition = flow.condition
      ? `<bpmn:conditionExpression>${escape(flow.condition)}</bpmn:conditionExpression>`
      : ''
    return `<bpmn:sequenceFlow id="${flow.id}" sourceRef="${flow.from}" targetRef="${flow.to}">${condition}</bpmn:sequenceFlow>`
  })
  return xml.join('') + edges.join('')
}

const definitions = (body) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"' +
  ' xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions"' +
  ` targetNamespace="http://bpmn.io/schema/bpmn">${body}</bpmn:definitions>\n`

const process = (id, nodes, flows) =>
  definitions(`<bpmn:process id="${id}" isExecutable="true">${scope(nodes, flows)}</bpmn:process>`)

// start, one service task, end
const oneTask = (id, type, options = {}) => process(id, [start(), service('work', { type, ...options }), end()])

// DMN: a file of decisions, each from `literal` or `table`.
const dmn = (id, ...decisions) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/"' +
  ` id="${id}" name="${id} name" namespace="http://camunda.org/schema/1.0/dmn">${decisions.join('')}</definitions>\n`

const decision = (id, requires, expression) =>
  `<decision id="${id}" name="${id} name"><variable name="${id}" />` +
  requires
    .map((each) => `<informationRequirement><requiredDecision href="#${each}" /></informationRequirement>`)
    .join('') +
  `${expression}</decision>`

const literal = (id, text, requires = []) =>
  decision(id, requires, `<literalExpression><text>${escape(text)}</text></literalExpression>`)

// One input, one output; rules are pairs of cells.
const table = (id, hitPolicy, input, rules) =>
  decision(
    id,
    [],
    `<decisionTable hitPolicy="${hitPolicy}"><input id="${id}_in" label="Input">` +
      `<inputExpression><text>${escape(input)}</text></inputExpression></input>` +
      `<output id="${id}_out" label="Output" name="out" />` +
      rules
        .map(
          ([test, output], i) =>
            `<rule id="${id}_r${i + 1}"><inputEntry><text>${escape(test)}</text></inputEntry>` +
            `<outputEntry><text>${escape(output)}</text></outputEntry></rule>`,
        )
        .join('') +
      '</decisionTable>',
  )

// start -> catch of the message, correlated by `order` -> one task -> end
const catching = (id, type, name, key = '=order') => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="test">
  <bpmn:message id="m" name="${name}">${key && `<bpmn:extensionElements><zeebe:subscription correlationKey="${key}" /></bpmn:extensionElements>`}</bpmn:message>
  <bpmn:process id="${id}" isExecutable="true">
    <bpmn:startEvent id="start" /><bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="wait" />
    <bpmn:intermediateCatchEvent id="wait"><bpmn:messageEventDefinition messageRef="m" /></bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="f2" sourceRef="wait" targetRef="work" />
    <bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="f3" sourceRef="work" targetRef="end" /><bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`

// Started by the message -> one task -> end.
const started = (id, type, name) => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="test">
  <bpmn:message id="m" name="${name}" />
  <bpmn:process id="${id}" isExecutable="true">
    <bpmn:startEvent id="start"><bpmn:messageEventDefinition messageRef="m" /></bpmn:startEvent>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="work" />
    <bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="f2" sourceRef="work" targetRef="end" /><bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`

module.exports = {
  catching,
  definitions,
  dmn,
  end,
  exclusive,
  literal,
  manual,
  oneTask,
  parallel,
  process,
  rule,
  service,
  start,
  started,
  subprocess,
  table,
  undefinedTask,
}
