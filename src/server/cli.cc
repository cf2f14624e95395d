#include "server/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "record/schema.h"
#include "server/bench_command.h"
#include "server/client.h"
#include "server/command_io.h"
#include "server/data_commands.h"
#include "server/expression_commands.h"
#include "server/repair_command.h"
#include "server/serve_command.h"
#include "server/settings.h"
#include "server/settings_text.h"
#include "server/state_commands.h"
#include "server/version.h"

namespace beeline::server {
namespace {

constexpr int kNotUnderstood = 2;

int not_understood(std::string_view sentence) {
  fmt::print(stderr, "beeline: {}\n", sentence);
  return kNotUnderstood;
}

std::optional<std::string> environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

// A duration as an argument: "250ms", "30s".
// CLI11 would only report that it could not convert the text.
std::string not_a_key(const std::string& text) {
  std::int64_t key = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, key);
  if (error == std::errc{} && stop == end) return {};
  return fmt::format("must be a key, which is a number, but it is '{}'", text);
}

void add_key(CLI::App& app, const std::string& name, std::int64_t& target,
             const std::string& help) {
  app.add_option(name, target, help)->required()->check(not_a_key);
}

CLI::Option* add_duration(CLI::App& app, const std::string& name, Milliseconds& target,
                          const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, name](const std::string& text) {
            const auto duration = parse_duration(text);
            if (!duration) {
              throw CLI::ValidationError(name, "must be a duration such as 250ms, 30s or 5m");
            }
            target = *duration;
          },
          help)
      ->default_str(to_text(target))
      ->type_name("DURATION");
}

// Returns the value of an option: the text itself, the contents of a file (@FILE) or the standard
// input (-).
std::string read_argument(const std::string& option, const std::string& text) {
  if (text == "-") {
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  }
  if (!text.starts_with('@')) return text;
  auto content = read_file(text.substr(1));
  if (!content) throw CLI::ValidationError(option, content.error());
  return *std::move(content);
}

CLI::Option* add_json(CLI::App& app, const std::string& name, std::string& target) {
  return app
      .add_option_function<std::string>(
          name, [&target, name](const std::string& text) { target = read_argument(name, text); },
          "Variables: a JSON object, @FILE, or - for the standard input")
      ->type_name("JSON");
}

// Returns how many letters must be changed, added or removed to turn one text into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

// The command line: its commands with their options, and what each does.
class Cli {
 public:
  Cli() : app_("A durable workflow engine that speaks the Zeebe protocol.", "beeline") {
    app_.set_version_flag("--version", fmt::format("beeline {}", kVersion));
    app_.require_subcommand(1);
    read_environment();
    add_serve();
    add_client_commands();
    add_job_commands();
    add_state_commands();
    add_data_commands();
    add_expression_commands();
    add_bench();
  }

  int run(int argc, const char* const* argv) {
    if (const auto mistake = unknown_command(argc, argv)) return not_understood(*mistake);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      // Requested output (help, version) goes to standard output; a mistake is one sentence.
      if (error.get_exit_code() == 0) return app_.exit(error);
      return not_understood(
          fmt::format("{} ({} --help shows how it is used)", error.what(), command_name()));
    }
    for (const auto& [command, action] : actions_) {
      if (command->parsed()) return action();
    }
    return kNotUnderstood;
  }

 private:
  using Action = std::function<int()>;

  CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& help,
                        Action action) {
    CLI::App* const command = parent.add_subcommand(name, help);
    actions_.emplace_back(command, std::move(action));
    return *command;
  }

  CLI::App& add_client_command(CLI::App& parent, const std::string& name, const std::string& help,
                               Action action) {
    CLI::App& command = add_command(parent, name, help, std::move(action));
    command.add_option("--address", client_.address, "Address of the server [BEELINE_ADDRESS]")
        ->type_name("HOST:PORT")
        ->capture_default_str();
    command.add_option("--http", client_.http, "Address of its HTTP port [BEELINE_HTTP]")
        ->type_name("HOST:PORT")
        ->capture_default_str();
    command.add_flag("--json", client_.json, "Print the answer as JSON");
    add_duration(command, "--request-timeout", client_.timeout, "How long to wait for the answer");
    return command;
  }

  void read_environment();
  void add_serve();
  void add_client_commands();
  void add_job_commands();
  void add_data_commands();
  void add_expression_commands();
  void add_bench();
  void add_state_commands();
  [[nodiscard]] int run_serve() const;
  [[nodiscard]] std::optional<std::string> unknown_command(int argc, const char* const* argv) const;
  [[nodiscard]] std::string command_name() const;

  CLI::App app_;
  std::vector<std::pair<const CLI::App*, Action>> actions_;

  // The options of the commands fill these members; one command runs.
  std::map<std::string, std::string> flags_;
  std::string config_file_;
  bool print_config_ = false;
  ClientOptions client_;
  std::vector<std::string> files_;
  CreateOptions create_;
  ActivateOptions activate_;
  FailOptions fail_;
  PublishOptions publish_;
  std::string signal_;
  ThrowOptions throw_;
  EvaluateOptions evaluate_;
  ListOptions list_;
  std::map<std::string, std::string> filters_;
  std::vector<std::string> where_;
  ShowOptions show_;
  std::int32_t retries_ = 0;
  Milliseconds timeout_{300'000};
  std::int64_t key_ = 0;
  std::string variables_ = "{}";
  bool local_ = false;
  InspectOptions inspect_;
  RepairOptions repair_;
  bool no_log_ = false;
  bool no_state_ = false;
  bool schema_ = false;
  FeelOptions feel_;
  bool lines_ = false;
  DecideOptions decide_;
  BenchOptions bench_;
  double rate_ = 0;
  bool no_deploy_ = false;
};

std::string Cli::command_name() const {
  std::string path = "beeline";
  for (const CLI::App* app = &app_; !app->get_subcommands().empty();) {
    app = app->get_subcommands().front();
    path += " " + app->get_name();
  }
  return path;
}

// CLI11 would only report that an argument was not expected.
std::optional<std::string> Cli::unknown_command(int argc, const char* const* argv) const {
  const CLI::App* app = &app_;
  std::string path = "beeline";
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || name.starts_with('-')) return std::nullopt;
    const auto found = std::ranges::find(commands, name, &CLI::App::get_name);
    if (found == commands.end()) {
      const auto nearest = std::ranges::min(commands, {}, [&](const CLI::App* command) {
        return distance(name, command->get_name());
      });
      return fmt::format(
          "There is no command '{} {}'; the nearest is '{} {}' ({} --help shows all).", path, name,
          path, nearest->get_name(), path);
    }
    app = *found;
    path += " " + name;
  }
  return std::nullopt;
}

// CLI11 is not used for this: it would read a variable for every command that has the option, and a
// command that is not called could overwrite a value that the flag of another has set.
void Cli::read_environment() {
  if (const auto address = environment("BEELINE_ADDRESS")) {
    client_.address = *address;
    bench_.load.target = *address;
  }
  if (const auto address = environment("BEELINE_HTTP")) client_.http = *address;
  if (const auto data = environment("BEELINE_DATA")) inspect_.data = *data;
  if (const auto config = environment("BEELINE_CONFIG")) config_file_ = *config;
}

void Cli::add_serve() {
  CLI::App& serve_command =
      add_command(app_, "serve", "Runs the server", [this] { return run_serve(); });
  const Settings defaults;
  for (const auto& setting : all_settings()) {
    serve_command
        .add_option_function<std::string>(
            fmt::format("--{}", setting.name),
            [this, name = std::string(setting.name)](const std::string& value) {
              flags_[name] = value;
            },
            fmt::format("{} [{}]", setting.help, environment_variable_of(setting)))
        ->default_str(setting.show(defaults))
        ->type_name("VALUE");
  }
  serve_command.add_option("--config", config_file_, "File with settings (TOML) [BEELINE_CONFIG]")
      ->type_name("FILE");
  serve_command.add_flag("--print-config", print_config_,
                         "Print the settings as a configuration file and exit");
}

int Cli::run_serve() const {
  SettingSources sources;
  if (!config_file_.empty()) sources.config_file = config_file_;
  sources.environment = environment;
  sources.flags.assign(flags_.begin(), flags_.end());
  const auto settings = load_settings(sources);
  if (!settings) return not_understood(settings.error());
  if (print_config_) {
    fmt::print("{}", to_config_file(*settings));
    return 0;
  }
  return serve(*settings);
}

void Cli::add_client_commands() {
  CLI::App& deploy_command = add_client_command(app_, "deploy", "Deploys BPMN and DMN files",
                                                [this] { return deploy(client_, files_); });
  deploy_command.add_option("files", files_, "Files to deploy")->required()->type_name("FILE");

  CLI::App& create_command = add_client_command(app_, "create", "Creates a process instance",
                                                [this] { return create(client_, create_); });
  create_command
      .add_option("process", create_.process, "Id of the process, or key of its definition")
      ->required();
  create_command.add_option("--process-version", create_.version, "Version; -1 is the latest")
      ->capture_default_str();
  add_json(create_command, "--variables", create_.variables);
  create_command
      .add_option("--start-before", create_.start_before,
                  "Element to begin at instead of the start event; may be repeated")
      ->type_name("ELEMENT")
      ->allow_extra_args(false);
  create_command
      .add_option("--terminate-after", create_.terminate_after,
                  "Element after which the instance is terminated; may be repeated")
      ->type_name("ELEMENT")
      ->allow_extra_args(false);
  create_command.add_flag("--with-result", create_.with_result,
                          "Wait until the instance is complete and print its variables");

  CLI::App& cancel_command = add_client_command(app_, "cancel", "Cancels a process instance",
                                                [this] { return cancel(client_, key_); });
  add_key(cancel_command, "instance", key_, "Key of the process instance");

  CLI::App& variables_command =
      add_client_command(app_, "set-variables", "Sets variables of an element instance",
                         [this] { return set_variables(client_, key_, variables_, local_); });
  add_key(variables_command, "element", key_, "Key of the element or process instance");
  add_json(variables_command, "--variables", variables_)->required();
  variables_command.add_flag("--local", local_, "Set them in this scope only");

  CLI::App& publish_command = add_client_command(app_, "publish", "Publishes a message",
                                                 [this] { return publish(client_, publish_); });
  publish_command.add_option("name", publish_.name, "Name of the message")->required();
  publish_command.add_option("--key", publish_.correlation_key, "Correlation key");
  add_duration(publish_command, "--ttl", publish_.time_to_live, "How long the message is buffered");
  publish_command.add_option(
      "--id", publish_.id,
      "Id of the message; it is refused while another message with this id is buffered");
  add_json(publish_command, "--variables", publish_.variables);

  CLI::App& broadcast_command =
      add_client_command(app_, "broadcast", "Broadcasts a signal to all who wait for it",
                         [this] { return broadcast(client_, signal_, variables_); });
  broadcast_command.add_option("name", signal_, "Name of the signal")->required();
  add_json(broadcast_command, "--variables", variables_);

  CLI::App& evaluate_conditional_command = add_client_command(
      app_, "evaluate-conditional",
      "Starts the processes whose conditional start events hold with these variables",
      [this] { return evaluate_conditional(client_, key_, variables_); });
  add_json(evaluate_conditional_command, "--variables", variables_);
  evaluate_conditional_command.add_option("--definition", key_,
                                          "Key of the only process definition to look at");

  CLI::App& delete_command =
      add_client_command(app_, "delete", "Deletes a deployed process, or the decisions of a file",
                         [this] { return delete_resource(client_, key_); });
  add_key(delete_command, "resource", key_,
          "Key of the process definition or the decision requirements");

  CLI::App& resolve_command = add_client_command(app_, "resolve", "Resolves an incident",
                                                 [this] { return resolve(client_, key_); });
  add_key(resolve_command, "incident", key_, "Key of the incident");

  add_client_command(app_, "status", "Shows the server and its partitions",
                     [this] { return status(client_); });
}

void Cli::add_job_commands() {
  CLI::App* const jobs =
      app_.add_subcommand("jobs", "Activates, completes, fails and updates jobs");
  jobs->require_subcommand(1);

  CLI::App& activate_command =
      add_client_command(*jobs, "activate", "Activates jobs of a type",
                         [this] { return activate_jobs(client_, activate_); });
  activate_command.add_option("type", activate_.type, "Type of the jobs")->required();
  activate_command.add_option("--max", activate_.max, "Largest number of jobs")
      ->capture_default_str();
  activate_command.add_option("--worker", activate_.worker, "Name of the worker")
      ->capture_default_str();
  add_duration(activate_command, "--timeout", activate_.timeout,
               "How long the worker keeps the jobs");
  add_duration(activate_command, "--wait", activate_.wait, "How long to wait for the first job");

  CLI::App& complete_command = add_client_command(*jobs, "complete", "Completes a job", [this] {
    return complete_job(client_, key_, variables_);
  });
  add_key(complete_command, "job", key_, "Key of the job");
  add_json(complete_command, "--variables", variables_);

  CLI::App& fail_command =
      add_client_command(*jobs, "fail", "Fails a job", [this] { return fail_job(client_, fail_); });
  add_key(fail_command, "job", fail_.key, "Key of the job");
  fail_command.add_option(
      "--retries", fail_.retries,
      "Retries that are left; 0 raises an incident [default: one less than the job has]");
  fail_command.add_option("--message", fail_.message, "What went wrong");
  add_duration(fail_command, "--backoff", fail_.backoff, "How long before the next try");
  add_json(fail_command, "--variables", fail_.variables);

  CLI::App& retries_command =
      add_client_command(*jobs, "update-retries", "Sets how often a job may still be tried",
                         [this] { return update_job_retries(client_, key_, retries_); });
  add_key(retries_command, "job", key_, "Key of the job");
  retries_command.add_option("retries", retries_, "Retries that are left")->required();

  CLI::App& timeout_command = add_client_command(
      *jobs, "update-timeout", "Sets how long the worker keeps a job, counted from now",
      [this] { return update_job_timeout(client_, key_, timeout_); });
  add_key(timeout_command, "job", key_, "Key of the job");
  add_duration(timeout_command, "timeout", timeout_, "How long")->required();

  CLI::App& throw_command =
      add_client_command(*jobs, "throw-error", "Throws a BPMN error for a job",
                         [this] { return throw_error(client_, throw_); });
  add_key(throw_command, "job", throw_.key, "Key of the job");
  throw_command.add_option("code", throw_.code, "Code of the error, as the model catches it")
      ->required();
  throw_command.add_option("--message", throw_.message, "What went wrong");
  add_json(throw_command, "--variables", throw_.variables);
}

void Cli::add_state_commands() {
  CLI::App& list_command = add_client_command(
      app_, "list",
      "Lists processes, instances, jobs, incidents, messages, timers or events of a server",
      [this] {
        for (const auto& [member, value] : filters_) list_.filters.emplace_back(member, value);
        for (const std::string& filter : where_) {
          const std::size_t equals = filter.find('=');
          if (equals == std::string::npos) {
            return not_understood(
                fmt::format("Expected --where to be MEMBER=VALUE, but it is '{}'.", filter));
          }
          list_.filters.emplace_back(filter.substr(0, equals), filter.substr(equals + 1));
        }
        return list(client_, list_);
      });
  list_command
      .add_option("kind", list_.kind,
                  "processes, instances, jobs, incidents, messages, timers or events")
      ->required()
      ->check(CLI::IsMember(
          {"processes", "instances", "jobs", "incidents", "messages", "timers", "events"}));
  const auto add_filter = [&](const std::string& flag, const std::string& member,
                              const std::string& help) {
    list_command.add_option_function<std::string>(
        flag, [this, member](const std::string& value) { filters_[member] = value; }, help);
  };
  add_filter("--process", "bpmnProcessId", "Only items of this process (its id)");
  add_filter("--instance", "processInstanceKey", "Only items of this process instance (its key)");
  add_filter("--element", "elementId", "Only items at this element (its id)");
  add_filter("--type", "type", "Only jobs or events of this type");
  add_filter("--state", "state", "Only items in this state");
  add_filter("--name", "name", "Only messages or events with this name");
  list_command.add_option("--where", where_, "Only items whose member has this value; repeatable")
      ->type_name("MEMBER=VALUE");
  list_command.add_option("--limit", list_.limit, "Largest number of items")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();

  CLI::App& show_command = add_client_command(app_, "show", "Shows everything about a key",
                                              [this] { return show(client_, show_); });
  add_key(show_command, "key", show_.key,
          "Key of an instance, an element, a job, an incident, a process, ...");
  show_command.add_flag("--full", show_.full, "Do not shorten long values");

  CLI::App& evaluate_command =
      add_client_command(app_, "evaluate", "Evaluates a deployed decision",
                         [this] { return evaluate_decision(client_, evaluate_); });
  evaluate_command.add_option("decision", evaluate_.decision, "Id of the decision, or its key")
      ->required();
  add_json(evaluate_command, "--variables", evaluate_.variables);
}

void Cli::add_data_commands() {
  CLI::App& inspect_command =
      add_command(app_, "inspect", "Prints the log and the state of a data directory", [this] {
        if (schema_) {
          fmt::print("{}", record::schema_text());
          return 0;
        }
        keep_files_private();
        inspect_.log = !no_log_;
        inspect_.state = !no_state_;
        return inspect(inspect_, std::cout, std::cerr);
      });
  inspect_command.add_option("--data", inspect_.data, "The data directory [BEELINE_DATA]")
      ->capture_default_str();
  inspect_command.add_flag("--json", inspect_.json, "Print JSON lines");
  inspect_command.add_flag("--full", inspect_.full, "Do not shorten long values");
  inspect_command.add_option("--partition", inspect_.partition, "Only this partition");
  inspect_command.add_option("--from", inspect_.from, "Position of the first record to print")
      ->capture_default_str();
  inspect_command.add_flag("--no-log", no_log_, "Leave the log out");
  inspect_command.add_flag("--no-state", no_state_, "Leave the state out");
  inspect_command.add_flag("--schema", schema_,
                           "Print the schema of the records (protobuf) and exit");

  CLI::App& verify_command =
      add_command(app_, "verify", "Checks the log and the checkpoints of a data directory", [this] {
        keep_files_private();
        return verify(inspect_.data, std::cout, std::cerr);
      });
  verify_command.add_option("--data", inspect_.data, "The data directory [BEELINE_DATA]")
      ->capture_default_str();

  CLI::App& repair_command = add_command(
      app_, "repair", "Repairs a data directory whose checkpoint is ahead of its log", [this] {
        repair_.data = inspect_.data;
        return repair(repair_, std::cout, std::cerr);
      });
  repair_command.add_option("--data", inspect_.data, "The data directory [BEELINE_DATA]")
      ->capture_default_str();
  repair_command.add_flag(
      "--accept-checkpoint", repair_.accept_checkpoint,
      "Continue the log after the checkpoint, and record the missing positions");
}

void Cli::add_expression_commands() {
  CLI::App& feel_command = add_command(app_, "feel", "Evaluates a FEEL expression", [this] {
    return lines_ ? evaluate_feel_lines(std::cin, std::cout)
                  : evaluate_feel(feel_, std::cout, std::cerr);
  });
  CLI::Option* const expression =
      feel_command.add_option("expression", feel_.expression, "The expression");
  add_json(feel_command, "--context", feel_.context);
  // Exactly one of the two is required.
  CLI::Option* const lines =
      feel_command.add_flag("--lines", lines_,
                            "Answer requests from the standard input, one JSON object per line: "
                            "{\"expression\": ..., \"context\": {...}}");
  lines->excludes(expression);
  feel_command.callback([expression, lines] {
    if (expression->count() + lines->count() == 0) {
      throw CLI::RequiredError("expression");
    }
  });

  CLI::App& decide_command = add_command(app_, "decide", "Evaluates a decision of a DMN file",
                                         [this] { return decide(decide_, std::cout, std::cerr); });
  decide_command.add_option("file", decide_.file, "The DMN file")->required()->type_name("FILE");
  decide_command.add_option("--decision", decide_.decision,
                            "Id of the decision; not needed if the file has only one");
  decide_command
      .add_option("--import", decide_.imports,
                  "A DMN file that it imports; may be given repeatedly")
      ->type_name("FILE");
  add_json(decide_command, "--context", decide_.context);
  decide_command.add_flag("--audit", decide_.audit,
                          "Print the evaluation as JSON, with inputs, rules and outputs");
}

void Cli::add_bench() {
  CLI::App& command = add_command(app_, "bench", "Puts load on a gateway and measures it", [this] {
    if (rate_ > 0) bench_.load.rate = rate_;
    bench_.load.deploy = !no_deploy_;
    return bench(bench_);
  });
  command.add_option("workload", bench_.workload, "Workload file, see bench/workloads")
      ->required()
      ->type_name("FILE");
  command.add_option("--target", bench_.load.target, "Address of the gateway [BEELINE_ADDRESS]")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  auto* const rate = command.add_option("--rate", rate_, "Open loop: instances started per second")
                         ->check(CLI::PositiveNumber);
  command
      .add_option("--concurrency", bench_.load.concurrency,
                  "Closed loop: number of instances at a time")
      ->check(CLI::PositiveNumber)
      ->excludes(rate)
      ->capture_default_str();
  command.add_option("--connections", bench_.load.connections, "Connections, each with a thread")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_duration(command, "--duration", bench_.load.duration, "How long to measure");
  add_duration(command, "--warmup", bench_.load.warmup, "How long to warm up before measuring");
  command
      .add_option("--json", bench_.json_file,
                  "File for the result as JSON; - is the standard output")
      ->type_name("FILE");
  command.add_flag("--no-deploy", no_deploy_, "The process is deployed already");
}

}  // namespace

int run_cli(int argc, const char* const* argv) {
  return Cli().run(argc, argv);
}

}  // namespace beeline::server
