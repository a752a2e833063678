/* Functions in versions, each for other vector instructions, of which the one for this processor is chosen when the program
 * runs: its own flags stay portable. The versions are the same code with the same bits (SAME_BITS in the Makefile); what
 * AVX-512 gives a single vehicle is the number of its registers. */
#pragma once

#include <stdbool.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum isa { ISA_ANY, ISA_AVX2, ISA_AVX512, ISA_COUNT };

/* The best that the processor has, from before main() on. Tests and benches may choose another that it has. */
extern enum isa isa_used;

bool isa_available(enum isa isa);
/* "any", "avx2", "avx512" */
const char *isa_name(enum isa isa);

/* Defines void name(parameters) from an ALWAYS_INLINE void name_body(parameters). */
#define ISA_VERSIONS(name, parameters, arguments)                                        \
        ISA_VERSIONS_OF(name, parameters, arguments, arguments)

/* The same from a body with arguments of its own, among which may be `wide`, a constant that says whether four doubles
 * fit in a register. */
#ifdef __x86_64__
#define ISA_WITH(instructions) __attribute__((target(instructions), flatten))
#define ISA_VERSIONS_OF(name, parameters, arguments, body_arguments)                     \
        ISA_WITH("avx2") static void name##_avx2 parameters                              \
        {                                                                                \
                enum { wide = 1 };                                                       \
                name##_body body_arguments;                                              \
        }                                                                                \
        ISA_WITH("avx512f,avx512dq,avx512vl") static void name##_avx512 parameters       \
        {                                                                                \
                enum { wide = 1 };                                                       \
                name##_body body_arguments;                                              \
        }                                                                                \
        void name parameters                                                             \
        {                                                                                \
                enum { wide = 0 };                                                       \
                if (isa_used == ISA_AVX512)                                              \
                        name##_avx512 arguments;                                         \
                else if (isa_used == ISA_AVX2)                                           \
                        name##_avx2 arguments;                                           \
                else                                                                     \
                        name##_body body_arguments;                                      \
        }
#else
#define ISA_VERSIONS_OF(name, parameters, arguments, body_arguments)                     \
        void name parameters                                                             \
        {                                                                                \
                enum { wide = 0 };                                                       \
                name##_body body_arguments;                                              \
        }
#endif
