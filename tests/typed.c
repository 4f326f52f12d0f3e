/* typed.c - numbers to elements of any type and back. */
#include "typed.h"

const tally_type types[TYPES] = {TALLY_TYPE_F64, TALLY_TYPE_F32, TALLY_TYPE_F16, TALLY_TYPE_BF16,
                                 TALLY_TYPE_I8,  TALLY_TYPE_I16, TALLY_TYPE_I32, TALLY_TYPE_I64,
                                 TALLY_TYPE_U8,  TALLY_TYPE_U16, TALLY_TYPE_U32, TALLY_TYPE_U64,
                                 TALLY_TYPE_BOOL};

const format *typed_format(tally_type type)
{
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i]->type == type) {
            return formats[i];
        }
    }
    return NULL;
}

bool typed_unsigned(tally_type type)
{
    return type == TALLY_TYPE_U8 || type == TALLY_TYPE_U16 || type == TALLY_TYPE_U32 ||
           type == TALLY_TYPE_U64;
}

static size_t size_of(tally_type type)
{
    switch (type) {
    case TALLY_TYPE_I8:
    case TALLY_TYPE_U8:
    case TALLY_TYPE_BOOL: return 1;
    case TALLY_TYPE_F16:
    case TALLY_TYPE_BF16:
    case TALLY_TYPE_I16:
    case TALLY_TYPE_U16: return 2;
    case TALLY_TYPE_F32:
    case TALLY_TYPE_I32:
    case TALLY_TYPE_U32: return 4;
    default: return 8;
    }
}

void typed_put(tally_type type, void *element, double number)
{
    const format *f = typed_format(type);
    uint64_t bits;

    if (f) {
        format_pack(f, &number, 1, element);
        return;
    }
    if (type == TALLY_TYPE_BOOL) {
        bits = number != 0;
    } else {
        bits = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    }
    for (size_t i = 0; i < size_of(type); i++) {
        /* the tests run on little-endian machines, as does all that we build for */
        ((unsigned char *)element)[i] = (unsigned char)(bits >> 8 * i);
    }
}

size_t typed_pack(tally_type type, const double *numbers, size_t n, void *elements)
{
    for (size_t i = 0; i < n; i++) {
        typed_put(type, (char *)elements + i * size_of(type), numbers[i]);
    }
    return n * size_of(type);
}

double typed_get(tally_type type, const void *element)
{
    const format *f = typed_format(type);
    size_t size = size_of(type);
    uint64_t bits = 0;

    memcpy(&bits, element, size);
    if (f) {
        return format_decode(f, bits);
    }
    if (type == TALLY_TYPE_BOOL) {
        return bits != 0;
    }
    if (typed_unsigned(type)) {
        return (double)bits;
    }
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (double)(int64_t)((bits ^ sign) - sign);
}

double typed_number(const tally_value *value)
{
    const format *f = typed_format(value->type);

    if (f) {
        return format_decode(f, bits_value(value));
    }
    return typed_unsigned(value->type) || value->type == TALLY_TYPE_BOOL ? (double)value->as.u64
                                                                         : (double)value->as.i64;
}
