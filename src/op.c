/* op.c - the tables of ops, element types and backends' names. */
#include "op.h"

static const op_row op_table[] = {
    {TALLY_OP_SUM, "sum", OP_KERNEL_ADD, false, false, false, true},
    {TALLY_OP_MEAN, "mean", OP_KERNEL_ADD, true, false, false, false},
    {TALLY_OP_MIN, "min", OP_KERNEL_EXTREME, false, false, false, true},
    {TALLY_OP_MAX, "max", OP_KERNEL_EXTREME, false, true, false, true},
    {TALLY_OP_ARGMIN, "argmin", OP_KERNEL_EXTREME, false, false, true, true},
    {TALLY_OP_ARGMAX, "argmax", OP_KERNEL_EXTREME, false, true, true, true},
    {TALLY_OP_PROD, "prod", OP_KERNEL_NONE, false, false, false, true},
    {TALLY_OP_NORM1, "norm1", OP_KERNEL_NONE, false, false, false, true},
    {TALLY_OP_NORM2, "norm2", OP_KERNEL_NONE, false, false, false, true},
    {TALLY_OP_NORMINF, "norminf", OP_KERNEL_NONE, false, false, false, true},
};

static const type_row type_table[] = {
    {TALLY_TYPE_F16, "f16", 2, TALLY_CLASS_FLOAT, TALLY_TYPE_F64},
    {TALLY_TYPE_BF16, "bf16", 2, TALLY_CLASS_FLOAT, TALLY_TYPE_F64},
    {TALLY_TYPE_F32, "f32", 4, TALLY_CLASS_FLOAT, TALLY_TYPE_F64},
    {TALLY_TYPE_F64, "f64", 8, TALLY_CLASS_FLOAT, TALLY_TYPE_F64},
    {TALLY_TYPE_I8, "i8", 1, TALLY_CLASS_SIGNED, TALLY_TYPE_I64},
    {TALLY_TYPE_I16, "i16", 2, TALLY_CLASS_SIGNED, TALLY_TYPE_I64},
    {TALLY_TYPE_I32, "i32", 4, TALLY_CLASS_SIGNED, TALLY_TYPE_I64},
    {TALLY_TYPE_I64, "i64", 8, TALLY_CLASS_SIGNED, TALLY_TYPE_I64},
    {TALLY_TYPE_U8, "u8", 1, TALLY_CLASS_UNSIGNED, TALLY_TYPE_U64},
    {TALLY_TYPE_U16, "u16", 2, TALLY_CLASS_UNSIGNED, TALLY_TYPE_U64},
    {TALLY_TYPE_U32, "u32", 4, TALLY_CLASS_UNSIGNED, TALLY_TYPE_U64},
    {TALLY_TYPE_U64, "u64", 8, TALLY_CLASS_UNSIGNED, TALLY_TYPE_U64},
    {TALLY_TYPE_BOOL, "bool", 1, TALLY_CLASS_UNSIGNED, TALLY_TYPE_I64},
};

static const char *const backend_names[] = {
    [TALLY_BACKEND_AUTO] = "auto", [TALLY_BACKEND_CPU] = "cpu",     [TALLY_BACKEND_CUDA] = "cuda",
    [TALLY_BACKEND_HIP] = "hip",   [TALLY_BACKEND_MODEL] = "model",
};

const op_row *tally_op_find(tally_op op)
{
    for (size_t i = 0; i < sizeof op_table / sizeof op_table[0]; i++) {
        if (op_table[i].op == op) {
            return &op_table[i];
        }
    }
    return NULL;
}

const type_row *tally_type_find(tally_type type)
{
    for (size_t i = 0; i < sizeof type_table / sizeof type_table[0]; i++) {
        if (type_table[i].type == type) {
            return &type_table[i];
        }
    }
    return NULL;
}

const char *tally_op_name(tally_op op)
{
    const op_row *row = tally_op_find(op);
    return row ? row->name : NULL;
}

const char *tally_type_name(tally_type type)
{
    const type_row *row = tally_type_find(type);
    return row ? row->name : NULL;
}

size_t tally_type_size(tally_type type)
{
    const type_row *row = tally_type_find(type);
    return row ? row->size : 0;
}

const char *tally_backend_name(tally_backend_id backend)
{
    size_t i = (size_t)backend;
    return i < sizeof backend_names / sizeof backend_names[0] ? backend_names[i] : NULL;
}

tally_array tally_array_dense(tally_type type, const void *data, size_t n)
{
    tally_array x;
    x.data = data;
    x.n = n;
    x.stride = 1;
    x.type = type;
    return x;
}
