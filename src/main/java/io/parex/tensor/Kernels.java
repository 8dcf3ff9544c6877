package io.parex.tensor;

import java.util.Locale;

/**
 * Chooses the kernels of this process, once, by the system property {@code parex.kernels}:
 *
 * <ul>
 *   <li>{@code auto} (the default): vector, or scalar where they would not run or not run fast
 *   <li>{@code vector}: vector, or scalar where the module {@code jdk.incubator.vector} is absent
 *   <li>{@code scalar}: scalar
 * </ul>
 *
 * A fall back to scalar is logged in one line with its reason.
 */
final class Kernels {
    private static final System.Logger LOG = System.getLogger(Kernels.class.getName());
    private static final KernelProvider ACTIVE = select(System.getProperty("parex.kernels", "auto"), vmMode());

    private Kernels() {}

    /** The kernels of this process. */
    static KernelProvider active() {
        return ACTIVE;
    }

    static KernelProvider select(String wanted, String vmMode) {
        return switch (wanted.toLowerCase(Locale.ROOT)) {
            case "scalar" -> new ScalarKernels();
            case "vector" -> vectorOrScalar();
            case "auto" -> compilesVectors(vmMode) ? vectorOrScalar() : fallBack("the JVM runs without C2: " + vmMode);
            default -> {
                LOG.log(System.Logger.Level.WARNING, "parex.kernels={0} is none of auto, vector, scalar: auto", wanted);
                yield select("auto", vmMode);
            }
        };
    }

    private static KernelProvider vectorOrScalar() {
        try {
            return new VectorKernels();
        } catch (NoClassDefFoundError e) {
            return fallBack(
                    "module jdk.incubator.vector is absent, add it with --add-modules (" + e.getMessage() + ")");
        }
    }

    private static KernelProvider fallBack(String reason) {
        LOG.log(System.Logger.Level.INFO, "reduction kernels: scalar, because {0}", reason);
        return new ScalarKernels();
    }

    private static String vmMode() {
        return System.getProperty("java.vm.info", "");
    }

    /** Only C2 turns Vector API calls into instructions; without it every vector is an object, slower than scalar. */
    private static boolean compilesVectors(String vmMode) {
        return !vmMode.contains("interpreted mode") && !vmMode.contains("emulated-client");
    }
}
