package io.parex.cli;

import io.parex.service.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What has been set for this process, by system property or, where there is none, in the environment; an empty value is
 * none.
 *
 * @param property value of a system property, or null
 * @param variable value of a variable of the environment, or null
 */
record Given(UnaryOperator<String> property, UnaryOperator<String> variable) {

    /** For this process, as it is now. */
    static Given here() {
        return new Given(System::getProperty, System::getenv);
    }

    /** For a process with these. */
    static Given of(Map<String, String> properties, Map<String, String> environment) {
        return new Given(properties::get, environment::get);
    }

    /** That of a setting. */
    Optional<String> value(Setting setting) {
        return value(setting.property());
    }

    /** That of a property, which need not be one of {@link Setting}. */
    Optional<String> value(String name) {
        String set = property.apply(name);
        return Optional.ofNullable(set != null ? set : variable.apply(Setting.variable(name)))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /** Whether a setting has its value from the environment. */
    boolean isFromEnvironment(Setting setting) {
        return property.apply(setting.property()) == null && variable.apply(setting.variable()) != null;
    }

    /** Whether a variable of the environment is there. */
    boolean hasVariable(String name) {
        return variable.apply(name) != null;
    }
}
