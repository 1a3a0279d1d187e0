// What happens before what (PTX ISA 9.1, 8.9.5, causality order). Whoever arrives at a barrier
// releases what it has done and all that it knows of; whoever waits there acquires what those have
// released who arrived. Who only arrives learns nothing. Internal to the engine.
#ifndef BARLINT_ENGINE_ORDERS_H
#define BARLINT_ENGINE_ORDERS_H

#include "engine/run.h"

// What has happened before something: of each thread, all that it did until some time. Lives as
// long as the run; NULL: nothing has.
struct past;

// What has been released at a barrier: in the phase that is open and those before it, and up to the
// end of the latest that is over.
struct released {
    struct past *open, *over;
};

void orders_init(struct run *run);
// Times grow with each call, and with each release.
uint32_t orders_time(struct run *run);

// The threads have arrived: what they have done is released there.
void orders_release(struct run *run, const struct mask *mask, struct released *at);
// A phase is over: who waits for it acquires what was released.
void orders_over(struct released *at);
// The same of the mbarrier of that number, which completes what asynchronous copies do: returns the
// time then.
uint32_t orders_complete(struct run *run, struct released *at, uint32_t mbarrier);
// Nothing of what was released there so far is acquired by those who come later.
void orders_forget(struct released *at);
// The threads have passed a wait for a phase that is over.
void orders_acquire(struct run *run, const struct mask *mask, const struct released *at);
// The same of a barrier that waits for all threads but those that have exited.
void orders_acquire_all(struct run *run, const struct mask *mask, const struct released *at);
// The threads have passed a wait that could not be followed: any arrival may have let them.
void orders_acquire_any(struct run *run, const struct mask *mask);
// The threads have to do with words by which threads may tell each other something: one that alone
// has, tells nobody.
void orders_speak(struct run *run, const struct mask *mask);
// The threads release to whoever finds out, as by a fence and an atomic access: what others do from
// now on is taken to come after it.
void orders_tell(struct run *run, const struct mask *mask);
// The threads exit: barriers that wait for all others come after what they have done.
void orders_exit(struct run *run, const struct mask *mask);
// The threads pass a fence, by which nobody waits for anybody: it takes a word of theirs behind it
// for others to find out, unless the kernel polls in a way that may not show.
void orders_fence(struct run *run, const struct mask *mask);
// The threads write such a word: those that have fenced release by it.
void orders_signal(struct run *run, const struct mask *mask);
// The threads look at a word by which others may tell them something: where the kernel polls, they
// go on when that has come.
void orders_ask(struct run *run, const struct mask *mask);
// They wait there for words, a bit each, which whoever meets them has come behind, too.
void orders_ask_for(struct run *run, const struct mask *mask, uint32_t words);
uint32_t orders_words(const struct run *run, uint32_t thread); // that it has come behind
// The same as orders_ask() where the operation itself is one to wait with, as those of a latch.
void orders_may_wait(struct run *run, const struct mask *mask);
// Whether threads may wait for each other in a way that no run shows: by such words, as kernels do
// that poll, or by such an operation that somebody has passed since.
bool orders_unseen(const struct run *run, uint32_t since);
// The threads pass what nobody can read, which may be a barrier of the block: from then on nothing
// is said of the order between who has passed as many of them and who has not.
void orders_doubt(struct run *run, const struct mask *mask);
// Of each warp the lanes among the threads meet those that each of them names, perhaps some that
// have not come with it; perhaps with any others where `named` is NULL.
void orders_meet(struct run *run, const struct mask *mask, const uint32_t *named);
// Whether lane `a` has met others at a barrier of the warp since lane `b` last did.
bool orders_ahead(const struct run *run, uint32_t a, uint32_t b);
// They come together, which orders no memory; where it `exchanges` values, as all but elect do,
// what they have read before has come.
void orders_gather(struct run *run, const struct mask *mask, bool exchanges);

// Whether what thread `a` did at that time happened before what `b` does now, as barriers say.
bool orders_knows(const struct run *run, uint32_t a, uint32_t time, uint32_t b);
// The same, or somebody may have been told.
bool orders_before(const struct run *run, uint32_t a, uint32_t time, uint32_t b);
// The same without fences that the threads have passed: it takes a word of theirs.
bool orders_heard(const struct run *run, uint32_t a, uint32_t time, uint32_t b);
// Whether thread `b` knows, or may have been told, of the phase that the mbarrier completed then.
bool orders_completed(const struct run *run, uint32_t mbarrier, uint32_t time, uint32_t b);
// The same of all threads of the set.
bool orders_completed_all(const struct run *run, uint32_t mbarrier, uint32_t time,
                          const struct mask *mask);
// Whether what thread `a`, or a lane of its warp, did then happened before what has been released
// there, or somebody may have been told.
bool orders_released_to(const struct run *run, uint32_t a, uint32_t time,
                        const struct released *at);
// Whether the thread has released anything since then.
bool orders_released(const struct run *run, uint32_t a, uint32_t time);
// Whether the thread has passed a fence since then.
bool orders_fenced(const struct run *run, uint32_t a, uint32_t time);
// Whether the thread has executed something together with its warp since then, or exchanged values.
bool orders_gathered(const struct run *run, uint32_t a, uint32_t time);
bool orders_exchanged(const struct run *run, uint32_t a, uint32_t time);
// Whether thread `a` has asked before that time, and may have waited then for what others do; or a
// barrier has brought it behind another thread that has asked, which thread `b` has not come
// behind: what `b` does may be what that one has waited for.
bool orders_asked(const struct run *run, uint32_t a, uint32_t time, uint32_t b);
// Whether orders_before() holds for whoever comes after.
bool orders_settled(const struct run *run, uint32_t a, uint32_t time);
// The same of all threads of the set.
bool orders_settled_all(const struct run *run, const struct mask *mask, uint32_t time);
// Whether orders_knows() holds of whatever any thread did then, for all of them, from now on.
bool orders_known_to_all(const struct run *run, uint32_t time);

#endif
