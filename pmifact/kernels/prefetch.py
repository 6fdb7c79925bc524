"""Asking the memory for what is needed soon."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for element `index`, counted over the whole of a contiguous array, to read it soon."""
    return types.void(array, types.intp), _asking(writing=False)


@intrinsic
def prefetch_to_write(typing_context, array, index):
    """Ask for element `index`, counted over the whole of a contiguous array, to read and write it soon."""
    return types.void(array, types.intp), _asking(writing=True)


def _asking(*, writing):
    def codegen(context, builder, signature, arguments):
        values = context.make_array(signature.args[0])(context, builder, arguments[0])
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32]), "llvm.prefetch.p0"
        )
        address = builder.bitcast(builder.gep(values.data, [arguments[1]]), pointer)
        builder.call(function, [address, i32(int(writing)), i32(3), i32(1)])  # keep in all caches, data
        return context.get_dummy_value()

    return codegen
