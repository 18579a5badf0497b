/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server with known delays and its own time stamps, for tests/bench/truth and rate: it shares no
 * code with lather, so what both say of a request is said twice. It waits for each request as long
 * as the next line of a file says (nanoseconds, cycled), answers, and at the end writes a line for
 * each request: how long it was here, from the last byte read to the answer written, and when it
 * had come (CLOCK_MONOTONIC), in nanoseconds. It never sleeps, so that its delays are exact: it
 * wants a core for itself. Only where it is told to it stands still once, STALL-MS after the first
 * request, for a second. It knows bodies with a Content-Length only and gives up on the first
 * surprise.
 *
 *     stamping_server DELAYS-FILE TIMES-FILE [STALL-MS]     prints its port, ends on SIGTERM
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 1024, READ_BYTES = 16 * 1024, EVENTS = 256, TIMES_MOST = 4 << 20 };

static const char ANSWER[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: 125\r\n\r\n"
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">"
    "<s:Body><r xmlns=\"urn:example:stamps\"/></s:Body></s:Envelope>";

struct connection {
    int descriptor;
    size_t length;   /* of what has come of a request */
    uint64_t due_ns; /* 0: no answer waits */
    uint64_t read_ns;
    char bytes[READ_BYTES + 1];
};

struct seen {
    uint64_t read_ns;
    uint64_t served_ns;
};

struct server {
    int listener;
    int epoll;
    uint64_t *delays_ns;
    size_t delay_count;
    size_t next;
    struct seen *seen; /* the requests answered */
    size_t seen_count;
    uint64_t first_ns;    /* when the first request had come; 0: none has */
    uint64_t stall_at_ns; /* after that; 0: never */
    struct connection *connections;
    size_t count; /* of connections, never given back */
};

static volatile sig_atomic_t is_to_end;

static void on_signal(int number)
{
    (void)number;
    is_to_end = 1;
}

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void read_delays(struct server *server, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[64];
    server->delays_ns = calloc(TIMES_MOST, sizeof *server->delays_ns);
    server->seen = calloc(TIMES_MOST, sizeof *server->seen);
    if (file == NULL || server->delays_ns == NULL || server->seen == NULL) {
        give_up(path);
    }
    while (server->delay_count < TIMES_MOST && fgets(line, sizeof line, file) != NULL) {
        server->delays_ns[server->delay_count++] = strtoull(line, NULL, 10);
    }
    (void)fclose(file);
}

static void watch(struct server *server, int descriptor, struct connection *connection)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
        give_up("epoll_ctl");
    }
}

static void start(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    server->epoll = epoll_create1(0);
    if (bind(server->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(server->listener, CONNECTIONS) != 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &size) != 0) {
        give_up("listen");
    }
    watch(server, server->listener, NULL);
    printf("%u\n", (unsigned)ntohs(address.sin_port));
    (void)fflush(stdout);
}

static void take_connection(struct server *server)
{
    int on = 1;
    int descriptor = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK);
    if (descriptor < 0 || server->count == CONNECTIONS) {
        give_up("accept");
    }
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *connection = &server->connections[server->count++];
    connection->descriptor = descriptor;
    watch(server, descriptor, connection);
}

/* Whether what has come is one whole request. */
static bool is_whole(const struct connection *connection)
{
    const char *end = strstr(connection->bytes, "\r\n\r\n");
    const char *length = strcasestr(connection->bytes, "Content-Length: ");
    if (end == NULL || length == NULL) {
        return false;
    }
    return connection->length ==
           (size_t)(end + 4 - connection->bytes) + strtoul(length + 16, NULL, 10);
}

static void read_some(struct server *server, struct connection *connection)
{
    ssize_t got = recv(connection->descriptor, connection->bytes + connection->length,
                       READ_BYTES - connection->length, 0);
    if (got <= 0) {
        (void)close(connection->descriptor);
        connection->due_ns = 0;
        return;
    }
    uint64_t read_ns = now_ns();
    connection->length += (size_t)got;
    connection->bytes[connection->length] = '\0';
    if (is_whole(connection)) {
        connection->read_ns = read_ns;
        server->first_ns = server->first_ns == 0 ? read_ns : server->first_ns;
        connection->due_ns = read_ns + server->delays_ns[server->next];
        connection->length = 0;
        server->next = (server->next + 1) % server->delay_count;
    }
}

static void answer_what_is_due(struct server *server)
{
    for (size_t i = 0; i < server->count; i++) {
        struct connection *connection = &server->connections[i];
        if (connection->due_ns == 0 || connection->due_ns > now_ns()) {
            continue;
        }
        connection->due_ns = 0;
        ssize_t sent = send(connection->descriptor, ANSWER, sizeof ANSWER - 1, MSG_NOSIGNAL);
        if (sent == (ssize_t)sizeof ANSWER - 1 && server->seen_count < TIMES_MOST) {
            server->seen[server->seen_count++] =
                (struct seen){connection->read_ns, now_ns() - connection->read_ns};
        }
    }
}

/* Once, and for nobody in particular: what comes meanwhile waits in the sockets. */
static void stand_still(struct server *server)
{
    const struct timespec second = {.tv_sec = 1};
    if (server->stall_at_ns != 0 && server->first_ns != 0 &&
        now_ns() - server->first_ns > server->stall_at_ns) {
        server->stall_at_ns = 0;
        (void)nanosleep(&second, NULL);
    }
}

static void write_times(const struct server *server, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        give_up(path);
    }
    for (size_t i = 0; i < server->seen_count; i++) {
        (void)fprintf(file, "%llu %llu\n", (unsigned long long)server->seen[i].served_ns,
                      (unsigned long long)server->seen[i].read_ns);
    }
    if (fclose(file) != 0) {
        give_up(path);
    }
}

int main(int argc, char **argv)
{
    static struct server server;
    if (argc != 3 && argc != 4) {
        (void)fprintf(stderr, "usage: stamping_server DELAYS-FILE TIMES-FILE [STALL-MS]\n");
        return 2;
    }
    (void)signal(SIGTERM, on_signal);
    server.connections = calloc(CONNECTIONS, sizeof *server.connections);
    if (server.connections == NULL) {
        give_up("calloc");
    }
    read_delays(&server, argv[1]);
    server.stall_at_ns = argc == 4 ? strtoull(argv[3], NULL, 10) * 1000000 : 0;
    start(&server);
    while (!is_to_end) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(server.epoll, events, EVENTS, 0);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == NULL) {
                take_connection(&server);
            } else {
                read_some(&server, events[i].data.ptr);
            }
        }
        answer_what_is_due(&server);
        stand_still(&server);
    }
    write_times(&server, argv[2]);
    return 0;
}
