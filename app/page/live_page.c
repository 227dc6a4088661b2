// SPDX-License-Identifier: MIT
// The page of `linkwork view`: served to this machine only, under a path that nobody can guess, and
// made anew when a file that it was made from changes.
#include "page_command.h"

#ifdef LINKWORK_LIVE
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files.h"
#include "io/run_loop.h"

enum
{
  POLL         = 250,  // ms between looks at the files
  SECRET       = 16,   // bytes
  MOST_REASONS = 4096  // bytes of what was wrong
};

typedef struct LivePage
{
  const Options* options;
  const lwText* (*make)(const Options* options);
  char path[2 * SECRET + 3];  // "/", the secret in hexadecimal, "/"
  char host[32];              // as the browser must call this machine
  char* html;
  size_t length;
  int version;                // of the page, counted from 1
  char reason[MOST_REASONS];  // why the files as they are now make no page; empty: they do
  int input_count;            // of the files whose state is:
  uint64_t state;
} LivePage;

// The frame around the page. It asks for the version, loads the page again when that changes, in
// the same view, and shows what is wrong with the files.
extern const char app_live_page_text[];  // live_page.html
extern const size_t app_live_page_length;

// --- the files

static uint64_t mix(uint64_t state, uint64_t value)
{
  return (state ^ value) * UINT64_C(0x100000001b3);
}

// Changes if one of the first count inputs does.
static uint64_t inputs_state(int count)
{
  uint64_t state = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < count; ++i)
  {
    struct stat is = {0};
    if (stat(input_path(i), &is) != 0) is = (struct stat){0};
    state = mix(mix(state, (uint64_t)is.st_mtim.tv_sec), (uint64_t)is.st_mtim.tv_nsec);
    state = mix(mix(state, (uint64_t)is.st_size), (uint64_t)is.st_ino);
  }
  return state;
}

static int input_total(void)
{
  int count = 0;
  while (input_path(count)) ++count;
  return count;
}

// --- making the page

static int make_page(void* context)
{
  LivePage* live     = context;
  const lwText* html = live->make(live->options);
  size_t length      = lw_text_length(html);
  char* copy         = malloc(length + 1);
  if (!copy) return no_memory();
  memcpy(copy, lw_text_bytes(html), length);
  free(live->html);
  live->html   = copy;
  live->length = length;
  ++live->version;
  return DONE;
}

// Makes the page again, with what is printed on stderr kept for the browser.
static void remake_page(LivePage* live)
{
  FILE* said = tmpfile();
  int old    = said ? dup(STDERR_FILENO) : -1;
  if (old >= 0) dup2(fileno(said), STDERR_FILENO);
  int code = scope_run(make_page, live);
  fflush(stderr);
  if (old >= 0) dup2(old, STDERR_FILENO);
  if (old >= 0) close(old);
  if (said) rewind(said);
  size_t length        = said && code != DONE ? fread(live->reason, 1, MOST_REASONS - 1, said) : 0;
  live->reason[length] = 0;
  if (said) fclose(said);
  if (code != DONE) fprintf(stderr, "%s", live->reason);
}

static void look_at_files(LivePage* live)
{
  uint64_t now = inputs_state(live->input_count);
  if (now == live->state) return;
  usleep(POLL * 1000 / 2);  // whoever writes may not be done
  live->state = inputs_state(live->input_count);
  remake_page(live);
  if (input_total() == live->input_count) return;
  live->input_count = input_total();  // files that only the changed ones name
  live->state       = inputs_state(live->input_count);
}

// --- answers to the browser

static enum MHD_Result answer_browser(struct MHD_Connection* connection, unsigned code,
                                      const char* kind, const char* bytes, size_t length)
{
  struct MHD_Response* response =
      MHD_create_response_from_buffer(length, (void*)bytes, MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, kind);
  MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  enum MHD_Result result = MHD_queue_response(connection, code, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result
serve(void* context, struct MHD_Connection* connection, const char* url, const char* method,
      const char* version, const char* body,
      // NOLINTNEXTLINE(readability-non-const-parameter): libmicrohttpd's type
      size_t* body_length, void** state)
{
  const LivePage* live     = context;
  static const char HTML[] = "text/html; charset=utf-8", TEXT[] = "text/plain; charset=utf-8";
  const char* host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
  char said[MOST_REASONS + 16];
  size_t prefix = strlen(live->path);
  (void)version, (void)body, (void)body_length, (void)state;
  // a name that somebody made to point here is refused, as is a path without the secret
  bool ours = host && !strcmp(host, live->host) && !strcmp(method, MHD_HTTP_METHOD_GET) &&
              !strncmp(url, live->path, prefix);
  const char* what = ours ? url + prefix : "-";
  if (!*what)
    return answer_browser(connection, MHD_HTTP_OK, HTML, app_live_page_text, app_live_page_length);
  if (!strcmp(what, "page"))
    return answer_browser(connection, MHD_HTTP_OK, HTML, live->html, live->length);
  if (!strcmp(what, "state"))
  {
    int length = snprintf(said, sizeof said, "%d\n%s", live->version, live->reason);
    return answer_browser(connection, MHD_HTTP_OK, TEXT, said, (size_t)length);
  }
  return answer_browser(connection, MHD_HTTP_NOT_FOUND, TEXT, "not found\n", 10);
}

// On a free port of 127.0.0.1; NULL: it cannot be had.
static struct MHD_Daemon* start_server(LivePage* live)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon* server  = MHD_start_daemon(MHD_NO_FLAG, 0, NULL, NULL, serve, live,
                                                MHD_OPTION_SOCK_ADDR, (struct sockaddr*)&address,
                                                MHD_OPTION_CONNECTION_LIMIT, 32u, MHD_OPTION_END);
  const union MHD_DaemonInfo* info =
      server ? MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT) : NULL;
  if (info) snprintf(live->host, sizeof live->host, "127.0.0.1:%u", (unsigned)info->port);
  return server;
}

static bool choose_path(LivePage* live)
{
  unsigned char secret[SECRET];
  if (getrandom(secret, sizeof secret, 0) != sizeof secret) return false;
  for (int i = 0; i < SECRET; ++i) sprintf(live->path + 1 + 2 * i, "%02x", secret[i]);
  live->path[0] = live->path[1 + 2 * SECRET] = '/';
  return true;
}

int live_page_serve(const Options* options, const lwText* (*make)(const Options* options))
{
  LivePage live = {.options = options, .make = make};
  char address[sizeof live.host + sizeof live.path + 8];
  int code = scope_run(make_page, &live);
  if (code != DONE) return code;
  live.input_count          = input_total();
  live.state                = inputs_state(live.input_count);
  struct MHD_Daemon* server = choose_path(&live) ? start_server(&live) : NULL;
  if (!server) code = fail(INPUT, "cannot serve the page on 127.0.0.1");
  snprintf(address, sizeof address, "http://%s%s", live.host, live.path);
  if (server)
  {
    run_loop_catch_signals();
    printf("%s\n", address);
    fflush(stdout);
    if (!browser_open(address))
      fprintf(stderr, "linkwork: no browser could be started; open this address in one:\n");
    while (!run_loop_stop && MHD_run_wait(server, POLL) == MHD_YES) look_at_files(&live);
    MHD_stop_daemon(server);
  }
  free(live.html);
  return code;
}

#endif
