package dev.heatline.formats;

import dev.heatline.model.ConsumerType;
import dev.heatline.model.Resource;
import java.util.List;

/** The numbers that stand for types in .heat files, for good. */
final class HeatTypes {
    private static final List<ConsumerType> CONSUMERS =
            List.of(
                    ConsumerType.ROOT,
                    ConsumerType.METHOD,
                    ConsumerType.CLASS,
                    ConsumerType.PACKAGE,
                    ConsumerType.THREAD,
                    ConsumerType.LOCK_CLASS,
                    ConsumerType.LOCK,
                    ConsumerType.LABEL);

    private static final List<Resource.Kind> KINDS =
            List.of(
                    Resource.Kind.COUNT,
                    Resource.Kind.TIME,
                    Resource.Kind.BYTES,
                    Resource.Kind.AMOUNT);

    private HeatTypes() {}

    static int number(ConsumerType type) {
        return CONSUMERS.indexOf(type);
    }

    static int number(Resource.Kind kind) {
        return KINDS.indexOf(kind);
    }

    static List<ConsumerType> consumerTypes() {
        return CONSUMERS;
    }

    static List<Resource.Kind> kinds() {
        return KINDS;
    }
}
