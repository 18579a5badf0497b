/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a Postman collection: folders in folders, down to items with a request. A stack with a
 * ceiling takes the place of recursion. A file that is cut off still gives the items before the
 * cut. Scripts of a collection are not run.
 */
#include "lather/capture/postman.h"

#include <stdlib.h>

#include "lather/capture/gather.h"
#include "lather/capture/json_cut.h"
#include "lather/capture/postman_request.h"
#include "lather/capture/postman_variables.h"

/* An open list of items. */
struct folder {
    struct json_cut items;
    struct str auth;    /* in force inside of it */
    size_t path_before; /* the path's length without it */
};

struct walk {
    struct capture *capture;
    struct postman_variables variables;
    struct folder folders[CAPTURE_DEPTH_CEILING];
    size_t depth;
    struct buf path; /* "Folder / Folder / " */
    bool has_scripts;
};

/* Its own authentication, or the one around it. */
static struct str auth_of(struct str object, struct str around)
{
    struct str auth;
    return json_cut_find(object, STR("auth"), &auth) && json_cut_begins(auth, '{') ? auth : around;
}

static void enter(struct walk *walk, struct str items, struct str auth, struct str name)
{
    if (walk->depth == CAPTURE_DEPTH_CEILING) {
        gather_note(walk->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                    "folder \"%.*s\": more folders in one another than are read",
                    STR_ARG(str_slice(name, 0, 100)));
        return;
    }
    struct folder *folder = &walk->folders[walk->depth++];
    *folder = (struct folder){.auth = auth, .path_before = walk->path.len};
    json_cut_begin(&folder->items, items);
    if (name.len > 0 && walk->path.len < CAPTURE_TEXT_CEILING / 4) {
        gather_append_clean(&walk->path, name, 100);
        buf_append_str(&walk->path, STR(" / "));
    }
}

static void leave(struct walk *walk)
{
    walk->path.len = walk->folders[--walk->depth].path_before;
    buf_append(&walk->path, NULL, 0); /* its NUL */
}

static void read_request(struct walk *walk, struct str item, struct str name, bool is_cut)
{
    struct folder *folder = &walk->folders[walk->depth - 1];
    struct str event;
    struct buf place;
    buf_init(&place);
    buf_append_str(&place, STR("item \""));
    buf_append_str(&place, buf_view(&walk->path));
    gather_append_clean(&place, name, 200);
    buf_append_byte(&place, '"');
    walk->has_scripts |= json_cut_find(item, STR("event"), &event) &&
                         str_find(event, STR("\"prerequest\"")) != SIZE_MAX;
    if (is_cut) {
        gather_skip(walk->capture, place.data, "the file ends inside of it");
    } else {
        const struct postman_item it = {
            .item = item, .name = name, .place = buf_view(&place), .auth = folder->auth};
        postman_request_read(walk->capture, &it, &walk->variables);
    }
    buf_deinit(&place);
}

/* A folder, a request, or something else, which has no message. */
static void read_item(struct walk *walk, struct str item, bool is_cut)
{
    struct str value;
    struct str around = walk->folders[walk->depth - 1].auth;
    char *name = json_cut_member(item, STR("name"));
    if (json_cut_find(item, STR("item"), &value)) {
        enter(walk, value, auth_of(item, around), str_from(name));
    } else if (is_cut || json_cut_find(item, STR("request"), &value)) {
        read_request(walk, item, str_from(name), is_cut);
    }
    free(name);
}

static void walk_items(struct walk *walk)
{
    while (walk->depth > 0 && !walk->capture->is_full) {
        struct json_cut *items = &walk->folders[walk->depth - 1].items;
        struct str key;
        struct str item;
        if (json_cut_next(items, &key, &item)) {
            read_item(walk, item, items->is_cut);
            continue;
        }
        if (items->is_damaged && items->is_begun) {
            gather_note(walk->capture, CAPTURE_NOTE_SKIPPED, CAPTURE_WHOLE,
                        "the list of items %s%s%sis damaged; what follows in it is left out",
                        walk->path.len > 0 ? "in \"" : "",
                        walk->path.len > 0 ? walk->path.data : "", walk->path.len > 0 ? "\" " : "");
        }
        leave(walk);
    }
}

bool postman_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct str collection = content;
    struct str value;
    struct walk *walk = check_calloc(1, sizeof *walk);
    walk->capture = capture;
    collection = str_trim(collection);
    if (json_cut_find(collection, STR("collection"), &value)) {
        collection = value;
    }
    if (json_cut_begins(collection, '[')) {
        enter(walk, collection, str_of(NULL, 0), str_of(NULL, 0));
    } else if (json_cut_find(collection, STR("item"), &value)) {
        struct str variables;
        (void)json_cut_find(collection, STR("variable"), &variables);
        postman_variables_read(&walk->variables, variables);
        enter(walk, value, auth_of(collection, str_of(NULL, 0)), str_of(NULL, 0));
    }
    walk_items(walk);
    if (walk->has_scripts) {
        gather_note(capture, CAPTURE_NOTE_REMARK, CAPTURE_WHOLE,
                    "scripts that run before its requests are not run");
    }
    postman_variables_deinit(&walk->variables);
    buf_deinit(&walk->path);
    free(walk);
    return true;
}
