#include "hil/film/film.h"

#include <nettle/base64.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/film/browser.h"
#include "hil/film/webm.h"
#include "hil/text/files.h"

#define WIDE       1280
#define HIGH       720
#define RATE_HZ    25
#define KEY_FRAMES 50 /* pictures from one to the next */

bool film_path_is_one(const char *path)
{
        size_t len = strlen(path);

        return (len > 5 && strcmp(path + len - 5, ".webm") == 0) ||
               (len > 0 && path[len - 1] == '/');
}

struct browser *film_open(int stop_fd, char *why, size_t cap)
{
        return browser_start(WIDE, HIGH, stop_fd, why, cap);
}

/* The caller's to free. NULL, with the reason: no base64 (RFC 4648), or no memory. */
static uint8_t *bytes_of(const char *base64, size_t *len, char *why, size_t cap)
{
        size_t chars = strlen(base64);
        uint8_t *bytes = malloc(BASE64_DECODE_LENGTH(chars) + 1);
        struct base64_decode_ctx decode;

        base64_decode_init(&decode);
        if (bytes == NULL) {
                snprintf(why, cap, "out of memory");
        } else if (!base64_decode_update(&decode, len, bytes, chars, base64) ||
                   !base64_decode_final(&decode) || *len == 0) {
                snprintf(why, cap, "Chromium gave a picture that is no base64");
                free(bytes);
                bytes = NULL;
        }
        return bytes;
}

static bool write_picture(const char *folder, int number, const char *picture, char *why,
                          size_t cap)
{
        char path[4096];
        size_t len;
        uint8_t *bytes = bytes_of(picture, &len, why, cap);
        FILE *file = NULL;
        bool ok = false;

        snprintf(path, sizeof path, "%s%06d.png", folder, number);
        if (bytes != NULL)
                file = run_file_open(path, why, cap);
        if (file != NULL) {
                ok = fwrite(bytes, 1, len, file) == len;
                ok = fclose(file) == 0 && ok;
                if (!ok)
                        snprintf(why, cap, "%s: cannot be written", path);
        }
        free(bytes);
        return ok;
}

/* The page makes a frame of VP8 of the picture of itself. */
static bool add_picture(struct browser *b, struct webm *to, int number,
                        const char *picture, char *why, size_t cap)
{
        int64_t t_ms = (int64_t)number * 1000 / RATE_HZ;
        bool key = number % KEY_FRAMES == 0, ok;
        size_t room = strlen(picture) + 100, len;
        char *expression = malloc(room);
        struct json *frame;
        uint8_t *bytes;

        if (expression == NULL) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        snprintf(expression, room, "hilrig.film.encode(\"%s\", %lld, %s)", picture,
                 (long long)t_ms, key ? "true" : "false");
        frame = browser_evaluate(b, expression, why, cap);
        free(expression);
        if (frame == NULL)
                return false;
        bytes = bytes_of(json_is(frame, JSON_STRING) ? frame->text : "?", &len, why, cap);
        json_free(frame);
        if (bytes == NULL)
                return false;
        ok = webm_add(to, t_ms, key, bytes, len);
        if (!ok)
                snprintf(why, cap, "a picture could not be written");
        free(bytes);
        return ok;
}

static int count_pictures(const struct film_made *made)
{
        return 1 + (int)(made->seconds * RATE_HZ);
}

/* One moment after the other, into the video, or the folder where there is none. */
static bool take_pictures(struct browser *b, struct webm *video, const char *folder,
                          struct film_made *made, char *why, size_t cap)
{
        char show[80];
        bool ok = true;

        while (ok && made->pictures < count_pictures(made)) {
                struct json *shown;
                char *picture;

                snprintf(show, sizeof show, "hilrig.film.show(%.3f)",
                         (double)made->pictures / RATE_HZ);
                shown = browser_evaluate(b, show, why, cap);
                picture = shown != NULL ? browser_picture(b, why, cap) : NULL;
                ok = picture != NULL &&
                     (video != NULL
                              ? add_picture(b, video, made->pictures, picture, why, cap)
                              : write_picture(folder != NULL ? folder : "",
                                              made->pictures, picture, why, cap));
                free(picture);
                json_free(shown);
                made->pictures += ok;
        }
        return ok;
}

static bool make_video(struct browser *b, const char *path, struct film_made *made,
                       char *why, size_t cap)
{
        FILE *file = run_file_open(path, why, cap);
        struct webm *video;
        bool ok;

        if (file == NULL)
                return false;
        video = webm_begin(file, WIDE, HIGH, 1e3 * count_pictures(made) / RATE_HZ);
        ok = video != NULL && take_pictures(b, video, NULL, made, why, cap);
        if (video == NULL)
                snprintf(why, cap, "out of memory");
        else if (!webm_end(video) && ok) {
                ok = false;
                snprintf(why, cap, "%s: cannot be written", path);
        }
        fclose(file);
        if (!ok)
                unlink(path);
        return ok;
}

bool film_make(struct browser *b, const char *url, const char *path,
               struct film_made *made, char *why, size_t cap)
{
        char page[1024];
        struct json *ends;
        bool ok;

        *made = (struct film_made){ 0 };
        snprintf(page, sizeof page, "%s#film", url);
        if (!browser_open(b, page, why, cap))
                return false;
        ends = browser_evaluate(b,
                                "new Promise((done) => { if (document.readyState === "
                                "'complete') done(); else addEventListener('load', "
                                "done); }).then(() => hilrig.film.begin())",
                                why, cap);
        ok = json_is(ends, JSON_NUMBER);
        made->seconds = ok ? ends->number : 0.0;
        json_free(ends);
        if (!ok)
                return false;
        if (path[strlen(path) - 1] != '/')
                return make_video(b, path, made, why, cap);
        return folder_make(path, why, cap) &&
               take_pictures(b, NULL, path, made, why, cap);
}
