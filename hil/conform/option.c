/* Conformance: settings of the board's own. Which it has, only its author knows; the rig asks for one that no
 * board has. */
#include "hil/conform/step.h"

#include <stdio.h>
#include <string.h>

#define NO_SUCH_KEY "no_such_option"

enum conform_is conform_options_step(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_OPTION };

        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        snprintf(m.u.option.key, sizeof m.u.option.key, NO_SUCH_KEY);
        snprintf(m.u.option.value, sizeof m.u.option.value, "x");
        conform_talk_say(t, &m);
        conform_talk_quiet(t);
        if (!conform_fly(c, 5) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.option_acks == 0)
                return conform_passed(c, "ignored: this board has no settings over HILP");
        if (t->heard.option_acks > 1)
                return conform_failed(
                        c, "OPTION_ACK (14)",
                        "answered one OPTION with %u OPTION_ACK: one for each",
                        t->heard.option_acks);
        if (strcmp(t->heard.option_ack.key, NO_SUCH_KEY) != 0)
                return conform_failed(c, "OPTION_ACK (14)",
                                      "key is \"%s\" in the answer to \"%s\": it is the "
                                      "key of the OPTION",
                                      t->heard.option_ack.key, NO_SUCH_KEY);
        if (t->heard.option_ack.accepted != 0)
                return conform_failed(c, "OPTION_ACK (14)",
                                      "accepted the option \"%s\", which no board has: a "
                                      "key that it does not know must be refused, or the "
                                      "user's slip of the finger stays unseen",
                                      NO_SUCH_KEY);
        return conform_passed(c, "a key that no board has was refused");
}
