#include "hil/port/fc_faults.h"

#include <stdlib.h>

#include "io/wire/link_faulty.h"

static void clear_wires(struct fc_faults *f)
{
        for (int c = 0; c < f->links; c++)
                link_faulty_clear(f->link[c]);
}

void fc_faults_start_over(struct fc_faults *f)
{
        if (f->all == NULL)
                return;
        f->all->talk = (struct wire_talk){ .answers = f->all->talk.answers };
        f->all->greeting = f->all->lockstep;
        clear_wires(f);
}

void fc_faults_be_ready(struct fc_faults *f)
{
        f->replugged = false;
        if (f->all != NULL)
                f->all->greeting = false;
}

void fc_faults_close(struct fc_faults *f)
{
        free(f->all);
        *f = (struct fc_faults){ 0 };
}

/* The FC sees the hang-up. */
static void unplug(struct fc_faults *f, const struct wire_fault *fault)
{
        for (int c = 0; c < f->links; c++)
                if (fault->channel < 0 || fault->channel == c)
                        link_faulty_plug(f->link[c], NULL);
        f->unplugged++;
        f->replugged = true;
}

/* Its id. What it held back goes on; its counts stay. */
static int end_fault(struct fc_faults *f, int place)
{
        const struct wire_fault_entry *e = &f->all->entry[f->all->order[place]];

        for (int c = 0; c < f->links; c++)
                link_faulty_let_go(f->link[c], place);
        if (e->fault.kind == WIRE_UNPLUG)
                f->unplugged--;
        wire_faults_end(f->all, place);
        return e->id;
}

void fc_faults_finish(struct fc_faults *f)
{
        if (f->all == NULL)
                return;
        while (f->all->in_force > 0)
                end_fault(f, 0);
        f->all->greeting = true;
        clear_wires(f);
}

bool fc_faults_begin(struct fc_faults *f, const struct wire_fault *fault, int id,
                     uint64_t seed, int64_t end_ns)
{
        int place = f->all == NULL ? -1 : wire_faults_place(f->all, id);

        if (place >= 0)
                end_fault(f, place);
        if (f->all == NULL || wire_faults_begin(f->all, fault, id, seed, end_ns) == NULL)
                return false;
        if (fault->kind == WIRE_UNPLUG)
                unplug(f, fault);
        return true;
}

void fc_faults_lift(struct fc_faults *f, int id, int64_t t_ns)
{
        int place = f->all == NULL ? -1 : wire_faults_place(f->all, id);

        if (place >= 0)
                f->all->entry[f->all->order[place]].end_ns = t_ns;
}

int fc_faults_end_due(struct fc_faults *f, int64_t t_ns)
{
        int place = f->all == NULL ? -1 : wire_faults_place_over(f->all, t_ns);

        return place < 0 ? -1 : end_fault(f, place);
}

bool fc_faults_awaiting(const struct fc_faults *f)
{
        return f->all != NULL && f->all->talk.awaiting;
}

void fc_faults_stop_awaiting(struct fc_faults *f)
{
        if (f->all != NULL)
                f->all->talk.awaiting = false;
}

bool fc_faults_heard(struct fc_faults *f)
{
        uint64_t before = f->answers_heard;

        if (f->all != NULL)
                f->answers_heard = f->all->talk.answers;
        return f->answers_heard != before;
}

int fc_faults_in_force(const struct fc_faults *f)
{
        return f->all == NULL ? 0 : f->all->in_force;
}

struct wire_fault_counts fc_faults_counts(const struct fc_faults *f, int id)
{
        const struct wire_fault_counts none = { 0 };

        return f->all == NULL ? none : wire_faults_counts(f->all, id);
}

uint64_t fc_faults_lost(const struct fc_faults *f)
{
        uint64_t lost = 0;

        for (int c = 0; c < f->links; c++)
                lost += link_faulty_lost(f->link[c]);
        return lost;
}
