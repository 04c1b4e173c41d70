package dev.heatline.model;

import java.util.regex.Pattern;

/** How methods are written: {@code pkg.Class.method(Param,Param)} with simple parameter names. */
public final class MethodNames {
    private static final Pattern NATIVE_ENDING = Pattern.compile("\\.so$|\\.\\d[^.]*$");

    private MethodNames() {}

    /**
     * {@code pkg.Class.method(Param,Param)}; without parentheses when the descriptor is unknown.
     */
    public static String display(Consumer method) {
        StringBuilder text = new StringBuilder();
        if (!method.owner().isEmpty()) {
            text.append(method.owner()).append('.');
        }
        text.append(method.name());
        if (!method.descriptor().isEmpty()) {
            appendParameters(text, method.descriptor());
        }
        return text.toString();
    }

    /** The parameters by simple name, in parentheses; empty when the descriptor is unknown. */
    static String parameters(Consumer method) {
        StringBuilder text = new StringBuilder();
        if (!method.descriptor().isEmpty()) {
            appendParameters(text, method.descriptor());
        }
        return text.toString();
    }

    /**
     * The inverse of {@link #display} as far as the text tells: everything before the last dot in
     * front of the parameters is the class. Parameters are kept as written, since simple names do
     * not lead back to a JVM descriptor. Names with blanks or {@code ::} outside the parameters,
     * names of shared libraries, and names whose last part begins with a digit, as compilers number
     * the copies of a function, are native symbols and have no class.
     */
    public static Consumer parse(String written) {
        int parameters = parametersAt(written);
        String qualified = written.substring(0, parameters);
        int dot = isNativeSymbol(qualified) ? -1 : qualified.lastIndexOf('.');
        String owner = dot < 0 ? "" : qualified.substring(0, dot);
        return Consumer.method(owner, qualified.substring(dot + 1), written.substring(parameters));
    }

    private static int parametersAt(String written) {
        int open = written.indexOf('(');
        return open > 0 && written.endsWith(")") ? open : written.length();
    }

    private static boolean isNativeSymbol(String qualified) {
        return qualified.contains("::")
                || qualified.indexOf(' ') >= 0
                || qualified.endsWith(".")
                || qualified.startsWith(".")
                || NATIVE_ENDING.matcher(qualified).find();
    }

    private static void appendParameters(StringBuilder text, String descriptor) {
        if (descriptor.charAt(0) != '(' || descriptor.endsWith(")")) {
            text.append(descriptor);
            return;
        }
        text.append('(');
        int at = 1;
        while (at < descriptor.length() && descriptor.charAt(at) != ')') {
            if (at > 1) {
                text.append(',');
            }
            at = appendType(text, descriptor, at);
        }
        text.append(')');
    }

    /** Appends the simple name of the type that starts at {@code at}; returns where it ends. */
    private static int appendType(StringBuilder text, String descriptor, int at) {
        int dimensions = 0;
        int next = at;
        while (next < descriptor.length() && descriptor.charAt(next) == '[') {
            dimensions++;
            next++;
        }
        if (next >= descriptor.length()) {
            return next;
        }
        char tag = descriptor.charAt(next);
        if (tag == 'L') {
            int end = descriptor.indexOf(';', next);
            if (end < 0) {
                end = descriptor.length();
            }
            int slash = descriptor.lastIndexOf('/', end);
            text.append(descriptor, Math.max(slash, next) + 1, end);
            next = Math.min(end + 1, descriptor.length());
        } else {
            text.append(primitiveName(tag));
            next++;
        }
        text.repeat("[]", dimensions);
        return next;
    }

    private static String primitiveName(char tag) {
        return switch (tag) {
            case 'Z' -> "boolean";
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            case 'D' -> "double";
            default -> String.valueOf(tag);
        };
    }
}
