/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for the benchmark: the least that a client on one thread can do per request over kept
 * connections. It sends one prepared request on each connection, reads until the announced length
 * is there, sends the next. It measures no times, checks nothing but "200", knows no chunked
 * bodies and gives up on the first surprise: not a load tester, and not meant to become one.
 *
 *     epoll_client PORT PATH BODY-FILE REQUESTS CONNECTIONS
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024, HEAD_BYTES = 1024, BODY_BYTES = 2 << 20, EVENTS = 256 };

struct connection {
    int descriptor;
    size_t missing; /* bytes of the answer still to come; 0: a head comes next */
};

struct client {
    int epoll;
    char request[HEAD_BYTES + BODY_BYTES];
    size_t request_bytes;
    uint64_t left_to_send;
    uint64_t answers;
};

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void prepare_request(struct client *client, const char *path, const char *body_file)
{
    static char body[BODY_BYTES];
    FILE *file = fopen(body_file, "rb");
    if (file == NULL) {
        give_up(body_file);
    }
    size_t body_bytes = fread(body, 1, sizeof body, file);
    (void)fclose(file);

    int head_bytes =
        snprintf(client->request, HEAD_BYTES,
                 "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                 "Content-Type: text/xml; charset=utf-8\r\nContent-Length: %zu\r\n\r\n",
                 path, body_bytes);
    memcpy(client->request + head_bytes, body, body_bytes);
    client->request_bytes = (size_t)head_bytes + body_bytes;
}

static int connect_to(uint16_t port)
{
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
        give_up("connect");
    }
    return descriptor;
}

static void send_next(struct client *client, struct connection *connection)
{
    if (client->left_to_send == 0) {
        return;
    }
    client->left_to_send--;
    ssize_t sent =
        send(connection->descriptor, client->request, client->request_bytes, MSG_NOSIGNAL);
    if (sent != (ssize_t)client->request_bytes) {
        give_up("send");
    }
}

/* The whole length of an answer that begins with this head. */
static size_t answer_bytes(char *head, size_t bytes)
{
    head[bytes] = '\0';
    const char *end = strstr(head, "\r\n\r\n");
    const char *length = strstr(head, "Content-Length: ");
    if (memcmp(head, "HTTP/1.1 200", 12) != 0 || end == NULL || length == NULL || length > end) {
        (void)fprintf(stderr, "unexpected answer:\n%.300s\n", head);
        exit(1);
    }
    return (size_t)(end + 4 - head) + strtoul(length + 16, NULL, 10);
}

static void read_some(struct client *client, struct connection *connection)
{
    static char bytes[READ_BYTES + 1];
    ssize_t got = recv(connection->descriptor, bytes, READ_BYTES, MSG_DONTWAIT);
    if (got <= 0) {
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        give_up("recv");
    }
    if (connection->missing == 0) {
        connection->missing = answer_bytes(bytes, (size_t)got);
    }
    if ((size_t)got > connection->missing) {
        (void)fprintf(stderr, "more bytes than announced\n");
        exit(1);
    }
    connection->missing -= (size_t)got;
    if (connection->missing == 0) {
        client->answers++;
        send_next(client, connection);
    }
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        (void)fprintf(stderr, "usage: epoll_client PORT PATH BODY-FILE REQUESTS CONNECTIONS\n");
        return 2;
    }
    static struct client client;
    prepare_request(&client, argv[2], argv[3]);
    uint64_t requests = strtoull(argv[4], NULL, 10);
    size_t count = strtoul(argv[5], NULL, 10);
    client.left_to_send = requests;
    client.epoll = epoll_create1(0);

    struct connection *connections = calloc(count, sizeof *connections);
    for (size_t i = 0; connections != NULL && i < count; i++) {
        connections[i].descriptor = connect_to((uint16_t)strtoul(argv[1], NULL, 10));
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        if (epoll_ctl(client.epoll, EPOLL_CTL_ADD, connections[i].descriptor, &event) != 0) {
            give_up("epoll_ctl");
        }
        send_next(&client, &connections[i]);
    }
    while (client.answers < requests) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(client.epoll, events, EVENTS, 10000);
        if (ready <= 0) {
            give_up("epoll_wait");
        }
        for (int i = 0; i < ready; i++) {
            read_some(&client, events[i].data.ptr);
        }
    }
    printf("%llu requests\n", (unsigned long long)client.answers);
    free(connections);
    return 0;
}
