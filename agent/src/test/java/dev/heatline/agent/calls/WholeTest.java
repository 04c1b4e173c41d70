package dev.heatline.agent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** Code that makes objects in ways that compilers do, and in some that javac does not. */
class WholeTest {
    private static final String TYPE = "shop/Item";

    private final MethodNode method =
            new MethodNode(Opcodes.ACC_STATIC, "make", "(I)V", null, null);

    private void make(int... before) {
        method.visitTypeInsn(Opcodes.NEW, TYPE);
        for (int each : before) {
            method.visitInsn(each);
        }
    }

    private void construct() {
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, TYPE, "<init>", "()V", false);
    }

    private int found() {
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(8, 4);
        return Whole.find("shop/Cart", method).size();
    }

    @Test
    void aCopyThatWasMadeBeforeIsWholeAfterwards() {
        make(Opcodes.DUP);
        construct();
        method.visitInsn(Opcodes.POP);
        assertThat(found()).isOne();
    }

    @Test
    void withoutACopyThereIsNothingToTrack() {
        make();
        construct();
        assertThat(found()).isZero();
    }

    /** What lies on the stack is the object of the round before. */
    @Test
    void anObjectThatWasMadeThereEarlierIsNotTakenForTheNewOne() {
        Label loop = new Label();
        method.visitInsn(Opcodes.ACONST_NULL);
        method.visitVarInsn(Opcodes.ASTORE, 1);
        method.visitLabel(loop);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        make(Opcodes.DUP);
        method.visitVarInsn(Opcodes.ASTORE, 1);
        construct();
        method.visitInsn(Opcodes.POP);
        method.visitVarInsn(Opcodes.ILOAD, 0);
        method.visitJumpInsn(Opcodes.IFNE, loop);
        assertThat(found()).isZero();
    }

    @Test
    void anObjectInsideOfAnotherOnesArgumentsIsItsOwn() {
        make(Opcodes.DUP);
        make(Opcodes.DUP);
        construct();
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, TYPE, "<init>", "(Lshop/Item;)V", false);
        method.visitInsn(Opcodes.POP);
        assertThat(found()).isEqualTo(2);
    }
}
