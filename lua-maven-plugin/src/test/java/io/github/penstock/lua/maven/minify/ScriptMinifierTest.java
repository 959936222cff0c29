package io.github.penstock.lua.maven.minify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.penstock.lua.maven.script.CheckedScript;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.Parser;
import io.github.penstock.lua.maven.syntax.Token;
import io.github.penstock.lua.maven.syntax.TokenKind;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptMinifierTest {
  @ParameterizedTest
  @DisplayName("tokens stand as close as they can, and no closer")
  @CsvSource(
      delimiter = '!',
      value = {
        "return KEYS - -ARGV! return KEYS- -ARGV",
        "return KEYS - - -ARGV! return KEYS- - -ARGV",
        "return - (- 1)! return-(-1)",
        "return 1 .. 2 .. KEYS! return 1 ..2 ..KEYS",
        "return KEYS .. .5! return KEYS.. .5",
        "return KEYS .. 'x' .. \"y\"! return KEYS..'x'..\"y\"",
        "return KEYS [ [[x]] ]! return KEYS[ [[x]]]",
        "return KEYS [ [==[x]==] ]! return KEYS[ [==[x]==]]",
        "return 'a' , 3 , nil! return'a',3,nil",
        "if 1 == 0x1F then return 1e2 end! if 1==0x1F then return 1e2 end",
        "return not not KEYS! return not not KEYS",
        "redis.call ( 'TIME' )! redis.call'TIME'",
        "redis.call ( { 1 , 2 , } )! redis.call{1,2}",
        "redis.call ( ( 'TIME' ) )! redis.call(('TIME'))",
        "KEYS.x () ; ( KEYS or ARGV ) ( 1 ) ;! KEYS.x();(KEYS or ARGV)(1)",
        "return { 1 ; 2 , x = 3 ; [ 'y' ] = 4 ; }! return{1;2,x=3;['y']=4}",
        "return ( KEYS ( ) )! return(KEYS())",
        "return {...}! return{...}",
        "return KEYS , ...! return KEYS,...",
        "for i = 1 , 2 do KEYS ( i ) end! for a=1,2 do KEYS(a)end",
        "local s = KEYS return s : rep ( 2 )! local a=KEYS return a:rep(2)",
        "while true do break end! while true do break end",
      })
  void spacing(String source, String expected) {
    assertThat(minify(source)).isEqualTo(expected);
  }

  @ParameterizedTest
  @DisplayName("names are short, reused where nothing is lost, and never capture another")
  @CsvSource(
      delimiter = '!',
      value = {
        "local rare, often = 1, 2 return often + often + rare! local b,a=1,2 return a+a+b",
        "do local x = 1 KEYS(x) end do local y = 2 KEYS(y) end! do local a=1 KEYS(a)end do local a=2 KEYS(a)end",
        "local x = 1 local y = x + 1 return y! local a=1 local a=a+1 return a",
        "local x = 1 local y = 2 return x + y! local a=1 local b=2 return a+b",
        "local x = 1 local f = function(y) return x + y end! local a=1 local a=function(b)return a+b end",
        "local function f(n) return n > 0 and f(n - 1) end! local function b(a)return a>0 and b(a-1)end",
        "local x = a.b return x.c + b! local c=a.b return c.c+b",
        "local x = KEYS return x.x, {x = x}! local a=KEYS return a.x,{x=a}",
        "repeat local x = KEYS() until x! repeat local a=KEYS()until a",
        "local t = {} function t.x:y(z) return self, z end! local a={}function a.x:y(a)return self,a end",
        "local f = function(x, ...) return arg, x, ... end! local a=function(a,...)return arg,a,...end",
        "local x, x = 1, 2 return x! local a,a=1,2 return a",
        "for k, v in pairs(KEYS) do ARGV(k, v) end! for a,b in pairs(KEYS)do ARGV(a,b)end",
        "local x = 1 do local x = x + 1 ARGV(x) end return x! local a=1 do local a=a+1 ARGV(a)end return a",
      })
  void names(String source, String expected) {
    assertThat(minify(source)).isEqualTo(expected);
    assertThat(BytecodeProof.difference(source, minify(source))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("a real script keeps its strings, numbers, fields and globals, and shrinks")
  @MethodSource("io.github.penstock.lua.maven.minify.RealScripts#all")
  void real(CheckedScript script) {
    String minified = ScriptMinifier.minify(script.chunk());
    assertThat(minified.length()).isLessThan(script.source().length() * 3 / 4);
    assertThat(minified).doesNotEndWith("\n").doesNotContain("--");
    assertThat(literals(minified)).isEqualTo(literals(script.source()));
    assertThatCode(() -> Parser.parse(minified)).doesNotThrowAnyException();
    assertThat(BytecodeProof.difference(script.source(), minified)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("what is minified already stays as it is")
  @MethodSource("io.github.penstock.lua.maven.minify.RealScripts#all")
  void stable(CheckedScript script) {
    String minified = ScriptMinifier.minify(script.chunk());
    assertThat(minify(minified).length()).isEqualTo(minified.length());
  }

  private static List<String> literals(String text) {
    return Lexer.read(text).tokens().stream()
        .filter(t -> t.kind() == TokenKind.STRING || t.kind() == TokenKind.NUMBER)
        .map(Token::text)
        .toList();
  }

  private static String minify(String source) {
    return ScriptMinifier.minify(Parser.parse(source));
  }
}
