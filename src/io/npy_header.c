/*
 * npy_header.c - the dictionary with its three keys, and shapes.
 */
#include "npy_header.h"

#include <string.h>

#include "message.h"

bool npy_shape_parse(literal *l, unsigned *ndim, uint64_t shape[NPY_DIMS])
{
    if (!literal_sees(l, '('))
        return literal_fail(l, "the shape is no tuple: expected '('");
    literal_accept(l, '(');
    bool comma = false;
    *ndim = 0;
    while (!literal_sees(l, ')')) {
        if (*ndim > 0 && !comma)
            return literal_fail(l, "expected ',' or ')'");
        if (*ndim == NPY_DIMS)
            return literal_fail(l, "a shape of more than 64 dimensions");
        if (!literal_unsigned(l, &shape[*ndim]))
            return false;
        ++*ndim;
        comma = literal_accept(l, ',');
    }
    if (*ndim == 1 && !comma)
        return literal_fail(l, "the shape is no tuple: expected ',' before ')'");
    return literal_accept(l, ')');
}

bool npy_shape_count(unsigned ndim, const uint64_t *shape, uint64_t *count)
{
    *count = 1;
    for (unsigned i = 0; i < ndim; i++)
        if (shape[i] == 0)
            *count = 0;
    for (unsigned i = 0; i < ndim && *count; i++) {
        if (*count > INT64_MAX / shape[i]) /* numpy's own limit; UINT64_MAX stands for "all" */
            return false;
        *count *= shape[i];
    }
    return true;
}

static bool parse_entry(literal *l, const npy_choice *choice, npy_header *header, unsigned *seen)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    char key[LITERAL_STRING_BYTES];
    literal_sees(l, '\''); /* to behind the white space: messages point there */
    const unsigned char *at = l->at;
    if (!literal_string(l, key) || !literal_expect(l, ':'))
        return false;
    unsigned k = 0;
    while (k < 3 && strcmp(key, keys[k]) != 0)
        k++;
    if (k == 3 || (*seen & 1u << k)) {
        l->at = at;
        return literal_fail(l, k == 3 ? "unknown key" : "a key for the second time");
    }
    *seen |= 1u << k;
    switch (k) {
    case 0: return npy_descr_parse(l, choice, &header->item);
    case 1: return literal_bool(l, &header->fortran);
    default: return npy_shape_parse(l, &header->ndim, header->shape);
    }
}

bool npy_header_parse(const void *text, size_t nbytes, size_t offset, unsigned version,
                      const npy_choice *choice, const char *name, npy_header *header,
                      reader_error *error)
{
    const unsigned char *start = text;
    literal reading = {start, start, start + nbytes, offset, version < 3, name, error};
    literal *l = &reading;
    unsigned seen = 0;
    memset(header, 0, sizeof *header);
    if (!literal_expect(l, '{'))
        return false;
    for (bool comma = true; !literal_accept(l, '}'); comma = literal_accept(l, ',')) {
        if (!comma)
            return literal_fail(l, "expected ',' or '}'");
        if (!parse_entry(l, choice, header, &seen))
            return false;
    }
    if (seen != 7)
        return literal_fail(l, "one of the keys descr, fortran_order, shape is missing");
    if (!literal_finish(l))
        return false;
    if (npy_shape_count(header->ndim, header->shape, &header->count) &&
        header->count <= UINT64_MAX / header->item.record) {
        header->nbytes = header->count * header->item.record;
        return true;
    }
    message_set(error, name,
                "the shape in the .npy header is absurd: more than 2^63 elements or 2^64 bytes");
    return false;
}
