package io.parex.demo;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class PlainTrainingTest {

    /** A reference that shared code with the exchange could be wrong in the same way. */
    @Test
    void shouldUseNothingOfParexButThePerceptronAndItsData() {
        classes()
                .that()
                .belongToAnyOf(PlainTraining.class, Perceptron.class, Momentum.class, Batch.class, Recipe.class)
                .should()
                .onlyDependOnClassesThat(resideInAPackage("java..")
                        .or(resideInAPackage("io.parex"))
                        .or(belongToAnyOf(
                                PlainTraining.class,
                                Perceptron.class,
                                Momentum.class,
                                Batch.class,
                                Recipe.class,
                                Digits.class,
                                Evaluation.class,
                                EpochResult.class)))
                .check(new ClassFileImporter().importPackagesOf(PlainTraining.class));
    }
}
