#include "tests/support/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "engine/state/tables.h"
#include "record/frame.h"
#include "record/json.h"

namespace beeline::testing {
namespace {

record::Document document(std::string_view json) {
  auto parsed = record::parse_document(json);
  EXPECT_TRUE(parsed.has_value()) << json;
  return parsed ? *parsed : record::Document{};
}

// Returns the words of a line; a text in quotes is one word.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ' ' || c == '\t')) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// True if the words of an expected line occur: those before the first `name=value` in order from
// the beginning, the others anywhere.
bool matches(const std::string& expected, const std::string& actual) {
  const std::vector<std::string> wanted = words_of(expected);
  const std::vector<std::string> found = words_of(actual);
  std::size_t i = 0;
  for (; i < wanted.size() && wanted[i].find('=') == std::string::npos; ++i) {
    if (i >= found.size() || found[i] != wanted[i]) return false;
  }
  for (; i < wanted.size(); ++i) {
    if (std::find(found.begin(), found.end(), wanted[i]) == found.end()) return false;
  }
  return true;
}

std::vector<std::string> lines_of(std::string_view table) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string{table}};
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin != std::string::npos) lines.push_back(line.substr(begin));
  }
  return lines;
}

void compare(std::string_view table, const std::vector<std::string>& actual) {
  const std::vector<std::string> expected = lines_of(table);
  std::size_t at = 0;
  bool skips = false;
  std::string problem;
  for (const std::string& line : expected) {
    if (line == "...") {
      skips = true;
      continue;
    }
    while (skips && at < actual.size() && !matches(line, actual[at])) ++at;
    if (at >= actual.size() || !matches(line, actual[at])) {
      problem = fmt::format("expected: {}\nbut found: {}", line,
                            at < actual.size() ? actual[at] : "nothing more");
      break;
    }
    skips = false;
    ++at;
  }
  if (problem.empty() && !skips && at < actual.size()) {
    problem = "expected nothing more\nbut found: " + actual[at];
  }
  if (problem.empty()) return;
  std::string all;
  for (const std::string& line : actual) all += "  " + line + "\n";
  ADD_FAILURE() << problem << "\nall records:\n" << all;
}

// The process that appends_behind_others runs beside the scenario.
constexpr const char* kBusyProcess = "busy";

std::vector<std::string> described(const World& world) {
  const std::string busy = fmt::format("bpmnProcessId=\"{}\"", kBusyProcess);
  std::vector<std::string> lines;
  for (std::size_t i = world.mark(); i < world.records().size(); ++i) {
    std::string line = describe(world.records()[i]);
    if (line.find(busy) == std::string::npos) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string describe(const record::OwnedRecord& record) {
  std::string text = record::to_text(record.view());
  // The subject follows the name.
  const std::string name = record::text_name(record.metadata);
  const std::string subject = record::subject_of(record.view());
  if (!subject.empty()) text.insert(2 + name.size(), " " + subject);
  if (record.metadata.rejection_type != RejectionType::None) {
    text += fmt::format(" rejection={}", record::name_of(record.metadata.rejection_type));
  }
  return text;
}

World::World(engine::EngineOptions options) : options_(options), engine_(std::move(options)) {}

World::~World() = default;

void World::submit_bytes(const record::CommandHead& head, std::string_view value,
                         bool awaits_answer) {
  engine_.process({head.view(), value, awaits_answer ? next_request_++ : 0}, now_, output_);
  keep_output();
  if (!is_held_) drain();
}

void World::receive(const engine::OutgoingCommand& command) {
  engine_.process({command.head.view(), command.value}, now_, output_);
  keep_output();
  if (!is_held_) drain();
}

std::vector<engine::OutgoingCommand> World::take_sends() {
  return std::exchange(sends_, {});
}

void World::restart() {
  engine_ = engine::Engine{options_};
  for (const std::string& frame : frames_) engine_.replay(frame);
  sends_.clear();
  drain();
}

void World::step() {
  engine_.process_pending(now_, output_);
  keep_output();
}

void World::release() {
  is_held_ = false;
  drain();
}

void World::drain() {
  // This limit is enough for any scenario that ends.
  for (int i = 0; i < 1000 && engine_.has_pending(); ++i) {
    engine_.process_pending(now_, output_);
    keep_output();
  }
}

void World::keep_output() {
  engine_.commit();
  // A batch without effect has no records and never reaches the log.
  if (output_.last >= output_.first) frames_.push_back(output_.frame);
  record::RecordReader reader{record::parse_frame(output_.frame)->records};
  while (const auto record = reader.next()) records_.push_back(record::to_owned(*record));
  ASSERT_FALSE(reader.malformed());
  for (engine::Response& response : output_.responses) answers_.push_back(std::move(response));
  std::ranges::move(output_.sends, std::back_inserter(sends_));
}

void World::pass(Milliseconds duration) {
  now_ = now_ + duration;
  std::ranges::move(engine_.due_sends(now_), std::back_inserter(sends_));
  for (int i = 0; i < 1000; ++i) {
    const auto due = engine_.due_commands(now_, 100);
    if (due.empty()) return;
    for (const record::CommandHead& head : due) submit_bytes(head, "", false);
    if (is_held_) return;  // due entries stay due until they are processed
  }
}

std::string World::compare_with_replay() const {
  engine::EngineOptions options = options_;
  options.before_command = nullptr;
  engine::Engine replayed{options};
  for (const std::string& frame : frames_) replayed.replay(frame);
  if (replayed.last_position() != engine_.last_position()) return "the positions differ";
  if (replayed.has_pending() != engine_.has_pending()) return "what is pending differs";
  const std::string ours = engine_.state().database().dump();
  const std::string theirs = replayed.state().database().dump();
  if (ours == theirs) return "";
  return fmt::format("the states differ: {} bytes after processing, {} after replay", ours.size(),
                     theirs.size());
}

void Actions::deploys(const std::vector<std::pair<std::string, std::string>>& resources) {
  record::DeploymentRecord deployment;
  for (const auto& [name, xml] : resources) deployment.resources.push_back({name, xml});
  begin();
  world_.submit(record::DeploymentIntent::Create, Key{}, deployment);
  if (is_stimulus_) return;
  const auto& answer = world_.answers().back().record;
  EXPECT_EQ(answer.metadata.record_type, record::RecordType::Event) << answer.rejection_reason;
}

void Actions::deletes(Key resource) {
  record::ResourceDeletionRecord deletion;
  deletion.resource_key = resource;
  begin();
  world_.submit(record::ResourceDeletionIntent::Delete, Key{}, deletion);
}

Key Actions::definition(const std::string& process_id) const {
  const engine::Definition* latest =
      world_.state().definitions().find_latest(record::kDefaultTenant, process_id);
  return latest != nullptr ? latest->key : Key{};
}

Key Actions::instance(const std::string& process_id, std::string_view variables) {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = process_id;
  creation.variables = document(variables);
  creates(creation);
  const auto& answer = world_.answers().back().record;
  if (answer.metadata.record_type != record::RecordType::Event) {
    EXPECT_TRUE(is_stimulus_) << answer.rejection_reason;
    return Key{};
  }
  return record::decode<record::ProcessInstanceCreationRecord>(answer.value).process_instance_key;
}

void Actions::creates(const record::ProcessInstanceCreationRecord& creation, bool awaits_result) {
  begin();
  world_.submit(awaits_result ? record::ProcessInstanceCreationIntent::CreateWithAwaitingResult
                              : record::ProcessInstanceCreationIntent::Create,
                Key{}, creation);
}

void Actions::cancels(Key process_instance) {
  begin();
  world_.submit(record::ProcessInstanceIntent::Cancel, process_instance,
                record::ProcessInstanceRecord{});
}

std::vector<Key> Actions::activates_jobs(const std::string& type, int max, Milliseconds timeout,
                                         std::vector<std::string> fetch) {
  record::JobBatchRecord batch;
  batch.type = type;
  batch.worker = "worker";
  batch.max_jobs_to_activate = max;
  batch.timeout = timeout;
  batch.variables = std::move(fetch);
  begin();
  world_.submit(record::JobBatchIntent::Activate, Key{}, batch);
  const auto& answer = world_.answers().back().record;
  if (answer.metadata.record_type != record::RecordType::Event) return {};
  return record::decode<record::JobBatchRecord>(answer.value).job_keys;
}

Key Actions::job_key(const std::string& type) const {
  for (const record::OwnedRecord& record : world_.records()) {
    if (record.metadata.value_type != record::ValueType::Job ||
        record.metadata.record_type != record::RecordType::Event ||
        record.metadata.intent != static_cast<record::IntentNumber>(record::JobIntent::Created)) {
      continue;
    }
    const engine::JobRow* job = world_.state().jobs().find(record.metadata.key);
    if (job != nullptr && job->type == type) return record.metadata.key;
  }
  ADD_FAILURE() << "there is no job of type " << type;
  return Key{};
}

void Actions::completes_job(const std::string& type, std::string_view variables) {
  record::JobRecord job;
  job.variables = document(variables);
  const Key key = job_key(type);
  begin();
  world_.submit(record::JobIntent::Complete, key, job);
}

void Actions::fails_job(const std::string& type, int retries, std::string_view message,
                        Milliseconds backoff, std::string_view variables) {
  record::JobRecord job;
  job.retries = retries;
  job.error_message = message;
  job.retry_backoff = backoff;
  job.variables = document(variables);
  const Key key = job_key(type);
  begin();
  world_.submit(record::JobIntent::Fail, key, job);
}

void Actions::throws_error(const std::string& type, std::string_view code, std::string_view message,
                           std::string_view variables) {
  record::JobRecord job;
  job.error_code = code;
  job.error_message = message;
  job.variables = document(variables);
  const Key key = job_key(type);
  begin();
  world_.submit(record::JobIntent::ThrowError, key, job);
}

void Actions::updates_retries(const std::string& type, int retries) {
  record::JobRecord job;
  job.retries = retries;
  const Key key = job_key(type);
  begin();
  world_.submit(record::JobIntent::UpdateRetries, key, job);
}

void Actions::updates_timeout(const std::string& type, Milliseconds timeout) {
  record::JobRecord job;
  job.timeout = timeout;
  const Key key = job_key(type);
  begin();
  world_.submit(record::JobIntent::UpdateTimeout, key, job);
}

void Actions::yields(const std::string& type) {
  job_command(record::JobIntent::Yield, job_key(type));
}

void Actions::job_command(record::JobIntent intent, Key key) {
  begin();
  world_.submit(intent, key, record::JobRecord{});
}

Key Actions::publishes(const std::string& name, const std::string& correlation_key,
                       const Publication& publication) {
  record::MessageRecord message;
  message.name = name;
  message.correlation_key = correlation_key;
  message.variables = document(publication.variables);
  message.time_to_live = publication.time_to_live;
  message.message_id = publication.id;
  begin();
  world_.submit(record::MessageIntent::Publish, Key{}, message);
  const auto& answer = world_.answers().back().record;
  if (answer.metadata.record_type == record::RecordType::Event) return answer.metadata.key;
  EXPECT_TRUE(is_stimulus_) << answer.rejection_reason;
  return Key{};
}

void Actions::correlates(const std::string& name, const std::string& correlation_key,
                         std::string_view variables, Key process_instance) {
  record::MessageCorrelationRecord message;
  message.name = name;
  message.correlation_key = correlation_key;
  message.variables = document(variables);
  message.process_instance_key = process_instance;
  begin();
  world_.submit(record::MessageCorrelationIntent::Correlate, Key{}, message);
}

void Actions::broadcasts(const std::string& name, std::string_view variables) {
  record::SignalRecord signal;
  signal.signal_name = name;
  signal.variables = document(variables);
  signal.awaits_count = true;
  begin();
  world_.submit(record::SignalIntent::Broadcast, Key{}, signal);
}

void Actions::signals(const std::string& name, std::string_view variables) {
  record::SignalRecord signal;
  signal.signal_name = name;
  signal.variables = document(variables);
  begin();
  world_.submit(record::SignalIntent::Broadcast, Key{}, signal);
}

Key Actions::incident_key() const {
  for (const record::OwnedRecord& record : world_.records()) {
    if (record.metadata.value_type == record::ValueType::Incident &&
        record.metadata.record_type == record::RecordType::Event &&
        world_.state().incidents().find(record.metadata.key) != nullptr) {
      return record.metadata.key;
    }
  }
  ADD_FAILURE() << "there is no open incident";
  return Key{};
}

void Actions::resolves_incident() {
  resolves_incident(incident_key());
}

void Actions::resolves_incident(Key key) {
  begin();
  world_.submit(record::IncidentIntent::Resolve, key, record::IncidentRecord{});
}

void Actions::sets_variables(Key scope, std::string_view variables, bool local) {
  record::VariableDocumentRecord update;
  update.scope_key = scope;
  update.variables = document(variables);
  update.update_semantics =
      local ? record::UpdateSemantics::Local : record::UpdateSemantics::Propagate;
  begin();
  world_.submit(record::VariableDocumentIntent::Update, Key{}, update);
}

void Actions::time_passes(Milliseconds duration) {
  begin();
  world_.pass(duration);
}

void Actions::appends(const std::function<void()>& commands) {
  begin();
  world_.hold();
  commands();
  world_.release();
}

void Actions::appends_behind_others(const std::function<void()>& commands) {
  Path path = bpmn::build::start();
  for (int i = 0; i < 20; ++i)
    path = std::move(path) >> bpmn::build::task("busy_" + std::to_string(i));
  record::DeploymentRecord deployment;
  deployment.resources.push_back(
      {"busy.bpmn", bpmn::build::process(kBusyProcess, std::move(path)).to_xml()});
  world_.submit(record::DeploymentIntent::Create, Key{}, deployment);
  begin();
  world_.hold();
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = kBusyProcess;
  world_.submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation, false);
  commands();
  world_.release();
}

Key Actions::element(std::string_view element_id) const {
  for (auto it = world_.records().rbegin(); it != world_.records().rend(); ++it) {
    if (it->metadata.value_type != record::ValueType::ProcessInstance ||
        it->metadata.record_type != record::RecordType::Event ||
        it->metadata.intent !=
            static_cast<record::IntentNumber>(record::ProcessInstanceIntent::ElementActivating)) {
      continue;
    }
    if (record::decode<record::ProcessInstanceRecord>(it->value).element_id == element_id) {
      return it->metadata.key;
    }
  }
  ADD_FAILURE() << "element " << element_id << " was never activated";
  return Key{};
}

void Expectations::records(std::string_view table) const {
  compare(table, described(world_));
}

void Expectations::records_of(std::vector<std::string> beginnings, std::string_view table) const {
  std::vector<std::string> lines = described(world_);
  std::erase_if(lines, [&](const std::string& line) {
    return std::none_of(beginnings.begin(), beginnings.end(),
                        [&](const std::string& beginning) { return line.starts_with(beginning); });
  });
  compare(table, lines);
}

void Expectations::rejected(RejectionType type, std::string_view reason_part) const {
  ASSERT_FALSE(world_.answers().empty());
  const record::OwnedRecord& answer = world_.answers().back().record;
  EXPECT_EQ(answer.metadata.record_type, record::RecordType::CommandRejection);
  EXPECT_EQ(record::name_of(answer.metadata.rejection_type), record::name_of(type));
  EXPECT_NE(answer.rejection_reason.find(reason_part), std::string::npos)
      << answer.rejection_reason;
}

void Expectations::refused(const std::vector<Refusal>& rows) const {
  for (const Refusal& row : rows) {
    SCOPED_TRACE(row.situation);
    const std::string before = world_.state().database().dump();
    const std::size_t answers = world_.answers().size();
    row.command();
    EXPECT_EQ(world_.answers().size(), answers + 1);
    rejected(row.type, row.reason);
    EXPECT_TRUE(before == world_.state().database().dump())
        << "a refused command changed the state";
  }
}

void Expectations::answered() const {
  ASSERT_FALSE(world_.answers().empty());
  const record::OwnedRecord& answer = world_.answers().back().record;
  EXPECT_EQ(answer.metadata.record_type, record::RecordType::Event) << answer.rejection_reason;
}

std::string Expectations::variable(Key scope, std::string_view name) const {
  const engine::StoredVariable* found = world_.state().variables().find(scope, name);
  return found != nullptr ? found->value : "absent";
}

void Expectations::all_done() const {
  using engine::TableNumber;
  // Rows that belong to an instance are removed with it; nothing would find them again.
  for (const TableNumber number :
       {TableNumber::ElementInstances, TableNumber::Variables, TableNumber::Jobs,
        TableNumber::Incidents, TableNumber::Triggers, TableNumber::AwaitedResults,
        TableNumber::Banned, TableNumber::Tags, TableNumber::InputCollections,
        TableNumber::OutputItems, TableNumber::OutputBytes, TableNumber::RuntimeInstructions,
        TableNumber::CompensationSubscriptions, TableNumber::MessageStartLocks}) {
    const state::TableBase& table =
        *world_.state().database().tables().at(engine::table_id(number));
    EXPECT_EQ(table.size(), 0U) << "rows are left in " << table.name();
  }
}

void Expectations::no_messages_left() const {
  EXPECT_EQ(world_.state().messages().count(), 0U);
  EXPECT_EQ(world_.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world_.state().process_message_subscriptions().count(), 0U);
}

void Expectations::delivered(std::int64_t count) const {
  ASSERT_FALSE(world_.answers().empty());
  const record::OwnedRecord& answer = world_.answers().back().record;
  ASSERT_EQ(answer.metadata.record_type, record::RecordType::Event) << answer.rejection_reason;
  ASSERT_EQ(answer.metadata.value_type, record::ValueType::Signal);
  EXPECT_EQ(record::decode<record::SignalRecord>(answer.value).delivered_count, count);
}

void Expectations::no_signals_left() const {
  EXPECT_EQ(world_.state().signals().count(), 0U);
  EXPECT_EQ(world_.state().signals().broadcast_count(), 0U);
}

void ScenarioTest::TearDown() {
  EXPECT_EQ(world.compare_with_replay(), "");
}

}  // namespace beeline::testing
