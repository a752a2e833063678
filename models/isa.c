#include "models/isa.h"

enum isa isa_used = ISA_ANY;

const char *isa_name(enum isa isa)
{
        static const char *const name[ISA_COUNT] = { "any", "avx2", "avx512" };

        return name[isa];
}

#ifdef __x86_64__
bool isa_available(enum isa isa)
{
        if (isa == ISA_AVX512)
                return __builtin_cpu_supports("avx512f") &&
                       __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl");
        return isa == ISA_ANY || __builtin_cpu_supports("avx2");
}
#else
bool isa_available(enum isa isa)
{
        return isa == ISA_ANY;
}
#endif

__attribute__((constructor)) static void choose(void)
{
#ifdef __x86_64__
        __builtin_cpu_init();
#endif
        isa_used = ISA_COUNT - 1;
        while (!isa_available(isa_used))
                isa_used--;
}
